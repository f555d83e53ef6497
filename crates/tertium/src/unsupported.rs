//! Questions that a method does not support.

use std::fmt;

/// Why a method does not answer a question, although the input and the question are fine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unsupported {
    /// The option belongs to other methods.
    Option {
        /// As on the command line.
        option: &'static str,
        /// The methods that have it.
        methods: &'static str,
        /// The method that was chosen.
        method: &'static str,
        /// The reason, as a clause about the method.
        because: &'static str,
    },
    /// The option means nothing for this kind of input.
    OptionForInput {
        /// As on the command line.
        option: &'static str,
        /// The input that it is for.
        input: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// The option is not there for this kind of input.
    OptionNotFor {
        /// As on the command line.
        option: &'static str,
        /// The input at hand.
        input: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// The method is for another kind of input.
    Input {
        /// The method.
        method: &'static str,
        /// The reason, as a clause about the method.
        does: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// The property is not of a logic that the method knows.
    Logic {
        /// The method.
        method: &'static str,
        /// The property.
        property: String,
    },
    /// The property cannot be checked by any method.
    Property(String),
    /// The method has no evidence for certificates here.
    Certificate {
        /// Why.
        why: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// The method cannot explain this.
    Explanation {
        /// Why.
        why: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// The model cannot be walked through.
    Simulation {
        /// Why.
        why: &'static str,
        /// Advice for the user.
        help: &'static str,
    },
    /// Two options exclude each other here.
    Together {
        /// Why.
        why: String,
        /// Advice for the user.
        help: &'static str,
    },
    /// The composition of all components would be needed, and there is a reason not to build it.
    Composition(String),
}

impl Unsupported {
    /// A solver where there is no arithmetic to decide.
    pub(crate) const SOLVER: Unsupported = Unsupported::OptionForInput {
        option: "--solver",
        input: "programs over integers",
        help: "finite-state models need no solver: leave it out",
    };

    /// Says what to do instead.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Unsupported::Option { .. } | Unsupported::Property(_) | Unsupported::Composition(_) => {
                return None;
            }
            Unsupported::OptionForInput { help, .. }
            | Unsupported::OptionNotFor { help, .. }
            | Unsupported::Input { help, .. }
            | Unsupported::Certificate { help, .. }
            | Unsupported::Explanation { help, .. }
            | Unsupported::Simulation { help, .. }
            | Unsupported::Together { help, .. } => *help,
            Unsupported::Logic { .. } => {
                "use `--method direct` or `symbolic`, or select CTL properties with --property"
            }
        };
        (!help.is_empty()).then(|| help.to_owned())
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Option { option: "--values", .. } => f.write_str(
                "`--values` needs `--method direct`, which computes the value in every state",
            ),
            Unsupported::Option { option, methods, method, because } => {
                write!(f, "`{option}` is for `--method {methods}`; `{method}` {because}")
            }
            Unsupported::OptionForInput { option, input, .. } => {
                write!(f, "`{option}` is for {input}")
            }
            Unsupported::OptionNotFor { option, input, .. } => {
                write!(f, "`{option}` is not supported for {input}")
            }
            Unsupported::Input { method, does, .. } => write!(f, "the method `{method}` {does}"),
            Unsupported::Logic { method, property } => {
                write!(f, "the {method} method is for CTL, and `{property}` is not")
            }
            Unsupported::Certificate { why, .. }
            | Unsupported::Explanation { why, .. }
            | Unsupported::Simulation { why, .. } => f.write_str(why),
            Unsupported::Together { why, .. } | Unsupported::Property(why) => f.write_str(why),
            Unsupported::Composition(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unsupported {}
