//! An explanation as one page that needs nothing else: it works from a file and without a network.

use super::ExplanationHead;
use super::page::page;
use logic::evidence::UnfoldedEvidence;

/// The page allows itself its own style and its own script, and nothing that would have to be loaded.
pub fn html(head: &ExplanationHead, explanation: &UnfoldedEvidence) -> String {
    let data = page(head, explanation).to_string();
    let mut page = String::with_capacity(data.len() + data.len() / 16 + 32768);
    page.push_str(START);
    page.push_str(&harmless(&data));
    page.push_str(END);
    page
}

const START: &str = concat!(
    include_str!("explanation.html"),
    "<style>\n",
    include_str!("explanation.css"),
    "</style>\n<script type=\"application/json\" id=\"data\">"
);
const END: &str = concat!(
    "</script>\n<script>\n",
    include_str!("explanation.js"),
    "</script>\n</body>\n</html>\n"
);

/// JSON in which nothing can end the element that it stands in.
fn harmless(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
