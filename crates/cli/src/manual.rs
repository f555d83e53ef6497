//! `tertium completions` and `tertium man`: the table of flags for shells and for readers.

use crate::Status;
use crate::console::or_exit;
use crate::flags::{Completions, Flags, Man};
use clap::CommandFactory;
use std::io::{Write, stderr, stdout};

pub fn completions(flags: &Completions) -> Status {
    let mut text = Vec::new();
    clap_complete::generate(flags.shell, &mut Flags::command(), "tertium", &mut text);
    or_exit(stdout().write_all(&text));
    Status::Good
}

pub fn page(flags: &Man) -> Status {
    let Some(command) = command_named(flags.command.as_deref()) else {
        let name = flags.command.as_deref().unwrap_or_default();
        let _ = writeln!(stderr(), "Error: there is no command `{name}`");
        return Status::Wrong;
    };
    let mut text = Vec::new();
    or_exit(clap_mangen::Man::new(command).render(&mut text));
    or_exit(stdout().write_all(&text));
    Status::Good
}

fn command_named(name: Option<&str>) -> Option<clap::Command> {
    let mut tertium = Flags::command();
    tertium.build();
    match name {
        None => Some(tertium),
        // `build` has given every command its full name, `tertium check`; a page is called `tertium-check`.
        Some(name) => {
            let command = tertium.find_subcommand(name)?.clone();
            Some(command.name(format!("tertium-{name}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    fn rendered(command: clap::Command) -> String {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn every_command_has_a_page_with_all_its_flags() {
        for command in Flags::command().get_subcommands() {
            let page = rendered(command_named(Some(command.get_name())).unwrap());
            let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
            for flag in shown.filter_map(|argument| argument.get_long()) {
                assert!(page.contains(&flag.replace('-', "\\-")), "{flag} in {page}");
            }
        }
        assert!(rendered(command_named(None).unwrap()).contains("Examples:"));
        assert!(command_named(Some("fly")).is_none());
    }

    #[test]
    fn every_shell_has_completions() {
        for shell in clap_complete::Shell::value_variants() {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Flags::command(), "tertium", &mut text);
            assert!(String::from_utf8(text).unwrap().contains("no-progress"), "{shell}");
        }
    }
}
