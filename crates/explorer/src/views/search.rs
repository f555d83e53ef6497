//! Looking for something by words of its name.

/// All of these words have to be there.
pub struct Words(Vec<String>);

impl Words {
    pub fn new(query: &str) -> Self {
        Self(query.split_whitespace().map(str::to_lowercase).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn are_in(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.0.iter().all(|word| name.contains(word))
    }
}
