//! The names of nodes, all in one string.

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeNames {
    text: String,
    ends: Vec<usize>,
}

impl NodeNames {
    /// The first `count` nodes have no name.
    pub fn unnamed(count: usize) -> Self {
        Self { text: String::new(), ends: vec![0; count] }
    }

    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Empty if the node has none.
    pub fn get(&self, node: u32) -> &str {
        let node = node as usize;
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.text[start..self.ends[node]]
    }
}

impl<'a> FromIterator<&'a str> for NodeNames {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let mut all = Self::default();
        names.into_iter().for_each(|name| all.push(name));
        all
    }
}
