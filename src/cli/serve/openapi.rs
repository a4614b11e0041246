//! The description of `/v1/` for programs: the parameters that are read, in the words of the options
//! that have the same names.

use std::any::TypeId;

use clap::{Arg, ArgAction, CommandFactory};
use serde_json::{Value, json};

use super::v1::{self, Route};
use crate::cli::args::Args;
use crate::games::variant::ALL;
use crate::query::words;

/// The description as `OpenAPI` has it.
pub(crate) fn description() -> Value {
    let mut paths = serde_json::Map::new();
    for route in v1::routes() {
        paths.insert(format!("/v1/{}", route.path), path(route));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "plydex",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Games and positions of the databases that are served. Fields of the answers: docs/json.md",
            "license": { "name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later" },
        },
        "paths": paths,
        "components": { "schemas": { "Error": {
            "type": "object",
            "required": ["error", "hint"],
            "properties": {
                "error": { "type": "string", "description": "What is wrong" },
                "hint": { "type": ["string", "null"], "description": "What to do about it" },
            },
        } } },
    })
}

fn path(route: &Route) -> Value {
    let mut parameters: Vec<Value> = Vec::new();
    if route.path.contains("{game}") {
        parameters.push(json!({
            "name": "game",
            "in": "path",
            "required": true,
            "description": "Number of the game",
            "schema": { "type": "integer", "minimum": 1 },
        }));
    }
    for (name, help) in route.places {
        let mut parameter = parameter(name, help, &place_schema(name));
        if route.needs.contains(name) {
            parameter["required"] = true.into();
            parameter["schema"]["minLength"] = 1.into();
        }
        parameters.push(parameter);
    }
    let options = options(route.command);
    if route.has_conditions {
        parameters.extend(
            conditions().map(|(name, help)| match named(&options, name) {
                Some(known) => option(known),
                None => parameter(
                    name,
                    help,
                    &list(&json!({ "type": "string", "minLength": 1 })),
                ),
            }),
        );
    }
    let settings = route.settings.iter().copied().flatten();
    parameters.extend(
        settings
            .filter_map(|name| named(&options, name))
            .map(option),
    );
    if !route.is_static && route.path != "databases" {
        let (name, help) = v1::DATABASE;
        parameters.push(parameter(name, help, &place_schema(name)));
    }
    let failed = |meaning: &str| {
        json!({
            "description": meaning,
            "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Error" },
            } },
        })
    };
    json!({ "get": {
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "The answer", "content": { route.kind: {} } },
            "304": { "description": "The client has the answer: If-None-Match names its ETag" },
            "400": failed("A parameter is wrong"),
            "403": failed("The host name is not accepted, or the request comes from a page of another site"),
            "404": failed("There is nothing of that name"),
            "413": failed("The answer would be too large"),
            "503": failed("The answer takes too long, too many ask, or the server is ending"),
        },
    } })
}

/// The options of a command, which have the same names as parameters.
fn options(command: &str) -> Vec<Arg> {
    let all = Args::command();
    let command = all.find_subcommand(command);
    command
        .into_iter()
        .flat_map(clap::Command::get_arguments)
        .cloned()
        .collect()
}

fn named<'a>(options: &'a [Arg], name: &str) -> Option<&'a Arg> {
    options
        .iter()
        .find(|option| option.get_long() == Some(name))
}

/// The conditions that are parameters, with what they mean if they are no options.
fn conditions() -> impl Iterator<Item = (&'static str, &'static str)> {
    words::game_condition_names().map(|name| {
        let help = match name {
            "has" => "Name of a tag that the game has",
            "fen" => "A position on the board of the game, in FEN",
            "moves" => "The same as moves from the start position",
            _ => "",
        };
        (name, help)
    })
}

fn list(one: &Value) -> Value {
    json!({ "type": "array", "items": one, "minItems": 1 })
}

fn parameter(name: &str, help: &str, schema: &Value) -> Value {
    let mut parameter =
        json!({ "name": name, "in": "query", "description": help, "schema": schema });
    if schema["type"] == "boolean" {
        // `?mirror` alone sets it.
        parameter["allowEmptyValue"] = true.into();
    }
    parameter
}

/// What a parameter may be that is no option.
fn place_schema(name: &str) -> Value {
    match name {
        "flip" => json!({ "type": "boolean" }),
        "form" => json!({ "type": "string", "enum": ["items", "tree"] }),
        "variant" => {
            let names: Vec<_> = ALL.iter().map(|row| row.name).collect();
            json!({ "type": "string", "examples": names })
        }
        // An empty one is as good as none.
        _ => json!({ "type": "string" }),
    }
}

fn option(option: &Arg) -> Value {
    let one = value_schema(option);
    let schema = if matches!(option.get_action(), ArgAction::Append) {
        list(&one)
    } else {
        one
    };
    let help = option.get_help().map(ToString::to_string);
    let name = option.get_long().unwrap_or_default();
    parameter(name, help.as_deref().unwrap_or_default(), &schema)
}

/// What a value of an option may be, as far as its parser shows: a flag, one of some words, a
/// number of a type, or a text with a syntax of its own, which is never empty.
fn value_schema(option: &Arg) -> Value {
    if matches!(option.get_action(), ArgAction::SetTrue) {
        return json!({ "type": "boolean" });
    }
    let words = option.get_possible_values();
    if !words.is_empty() {
        let words: Vec<_> = words
            .iter()
            .map(clap::builder::PossibleValue::get_name)
            .collect();
        return json!({ "type": "string", "enum": words });
    }
    let parser = option.get_value_parser().type_id();
    let is_one_of = |types: &[TypeId]| types.iter().any(|id| parser == *id);
    let maximum = [
        (TypeId::of::<u8>(), u64::from(u8::MAX)),
        (TypeId::of::<u16>(), u64::from(u16::MAX)),
        (TypeId::of::<u32>(), u64::from(u32::MAX)),
        (TypeId::of::<u64>(), u64::MAX),
        (TypeId::of::<usize>(), usize::MAX as u64),
    ];
    if let Some((_, maximum)) = maximum.iter().find(|(id, _)| parser == *id) {
        json!({ "type": "integer", "minimum": 0, "maximum": maximum })
    } else if is_one_of(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
        json!({ "type": "number" })
    } else {
        json!({ "type": "string", "minLength": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::params;
    use super::*;

    fn schema(path: &str, name: &str) -> Value {
        let description = description();
        let parameters = &description["paths"][path]["get"]["parameters"];
        let parameters = parameters.as_array().expect("parameters");
        let found = parameters
            .iter()
            .find(|parameter| parameter["name"] == name);
        found.expect("the parameter")["schema"].clone()
    }

    /// What is read is described, and what is described is read.
    #[test]
    fn parameters_are_those_of_the_routes() {
        for route in v1::routes() {
            let described = path(route);
            let described = described["get"]["parameters"].as_array().expect("a list");
            let options = options(route.command);
            for name in route.settings.iter().copied().flatten() {
                assert!(params::is_setting(name), "{name}");
                assert!(named(&options, name).is_some(), "{}: {name}", route.path);
                assert!(described.iter().any(|own| own["name"] == *name), "{name}");
            }
            for own in described {
                let help = own["description"].as_str().unwrap_or_default();
                assert!(!help.is_empty(), "{own}");
            }
            // Nothing that names a file may come from outside.
            for file in ["output", "force", "format", "db", "each"] {
                assert!(described.iter().all(|own| own["name"] != *file), "{file}");
            }
        }
    }

    /// Former names of options are names of parameters as well.
    #[test]
    fn former_names_are_those_of_the_options() {
        for option in ["search", "tree", "export"].into_iter().flat_map(options) {
            for former in option.get_all_aliases().unwrap_or_default() {
                let now = params::former(former);
                assert_eq!(now, option.get_long(), "{former}");
            }
        }
    }

    #[test]
    fn schemas_follow_the_parsers_of_the_options() {
        assert_eq!(schema("/v1/search", "mirror")["type"], "boolean");
        assert_eq!(schema("/v1/search", "limit")["type"], "integer");
        let identities = schema("/v1/search", "identity");
        assert!(
            identities["enum"]
                .as_array()
                .expect("words")
                .contains(&"board".into())
        );
        assert_eq!(schema("/v1/search", "player")["items"]["minLength"], 1);
        let variants = schema("/v1/position", "variant");
        assert!(
            variants["examples"]
                .as_array()
                .expect("words")
                .contains(&"frisian".into())
        );
    }
}
