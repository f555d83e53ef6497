//! What `tertium check --json` tells of one property.

use std::io;

#[derive(Clone, Default)]
pub struct Figures {
    pub verdict: String,
    /// Why there is no verdict.
    pub reason: String,
    pub method: String,
    /// Without reading.
    pub seconds: f64,
    /// That can be reached.
    pub states: Option<f64>,
    /// Those of them that are looked at.
    pub relevant_states: Option<f64>,
    pub transitions: u64,
    pub game_nodes: u64,
    /// Of all components together.
    pub component_nodes: u64,
    pub product_nodes: u64,
    /// Rounds of a refinement.
    pub iterations: u64,
    /// Of all components that a refinement has looked at.
    pub abstract_states: u64,
    /// Of a program that is taken apart: how often a piece was checked, and how often its results were found instead.
    pub checked_pieces: u64,
    pub reused_pieces: u64,
    pub pieces: u64,
    /// Over bodies of loops that are taken apart.
    pub passes: u64,
    /// The most room for sets that a piece took with its assumptions.
    pub piece_bytes: u64,
    /// All of the process, the program's text included.
    pub peak_bytes: u64,
}

impl Figures {
    /// Of the first property.
    pub fn read(output: &str) -> io::Result<Self> {
        let json: serde_json::Value = serde_json::from_str(output)?;
        Ok(Self::of(&json["results"][0]))
    }

    /// Of all properties.
    pub fn read_all(output: &str) -> io::Result<Vec<Self>> {
        let json: serde_json::Value = serde_json::from_str(output)?;
        let results = json["results"].as_array();
        results
            .map(|all| all.iter().map(Self::of).collect())
            .ok_or_else(|| io::Error::other("no results"))
    }

    fn of(result: &serde_json::Value) -> Self {
        let text = |name: &str| result[name].as_str().unwrap_or("none").to_owned();
        let number = |name: &str| result["stats"][name].as_u64().unwrap_or(0);
        let components = result["stats"]["component_nodes"].as_array();
        let components = components.into_iter().flatten().filter_map(serde_json::Value::as_u64);
        let sizes = result["stats"]["abstract_states"].as_array().into_iter().flatten();
        Self {
            verdict: text("verdict"),
            reason: text("reason"),
            method: text("method"),
            seconds: result["seconds"].as_f64().unwrap_or(0.0),
            states: result["stats"]["states"].as_f64(),
            relevant_states: result["stats"]["relevant_states"].as_f64(),
            transitions: number("transitions"),
            game_nodes: number("game_nodes"),
            component_nodes: components.sum(),
            product_nodes: number("product_nodes"),
            iterations: number("iterations"),
            abstract_states: sizes.filter_map(|size| size["abstract"].as_u64()).sum(),
            checked_pieces: number("checked_pieces"),
            reused_pieces: number("reused_pieces"),
            pieces: number("pieces"),
            passes: number("passes"),
            piece_bytes: number("piece_bytes"),
            peak_bytes: number("peak_bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_method_does_not_have_is_none() {
        let text = r#"{"results": [{"verdict": "true", "method": "compositional", "seconds": 0.5,
            "stats": {"component_nodes": [3, 4], "product_nodes": 5,
            "abstract_states": [{"component": "A", "abstract": 2, "concrete": 9}]}}]}"#;
        let figures = Figures::read(text).expect("JSON");
        assert_eq!((figures.verdict.as_str(), figures.seconds), ("true", 0.5));
        assert_eq!((figures.component_nodes, figures.product_nodes), (7, 5));
        assert_eq!((figures.game_nodes, figures.abstract_states), (0, 2));
        assert_eq!((figures.states, figures.relevant_states), (None, None));
        let symbolic = r#"{"results": [{"stats": {"states": 1e40, "relevant_states": 12}}]}"#;
        let figures = Figures::read(symbolic).expect("JSON");
        assert_eq!((figures.states, figures.relevant_states), (Some(1e40), Some(12.0)));
        assert!(Figures::read("no JSON").is_err());
    }
}
