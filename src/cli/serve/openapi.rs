//! The description of `/v1/` for programs, made of the options themselves.

use clap::{Arg, ArgAction};
use serde_json::{Value, json};

use super::v1::{self, Route};

/// The description as `OpenAPI` has it.
pub(crate) fn description() -> Value {
    let mut paths = serde_json::Map::new();
    for route in v1::ROUTES {
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
        let mut parameter = parameter(name, help, &json!({ "type": "string" }));
        if route.needs.contains(name) {
            parameter["required"] = true.into();
        }
        parameters.push(parameter);
    }
    parameters.extend((route.options)().iter().map(option));
    if !route.is_static && route.path != "sources" {
        let (name, help) = v1::SOURCE;
        parameters.push(parameter(name, help, &json!({ "type": "string" })));
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
            "403": failed("The host name is not known, or a page of another site asks"),
            "404": failed("There is nothing of that name"),
            "413": failed("The answer would be too large"),
            "503": failed("The answer takes too long, too many ask, or the server is ending"),
        },
    } })
}

fn parameter(name: &str, help: &str, schema: &Value) -> Value {
    json!({ "name": name, "in": "query", "description": help, "schema": schema })
}

fn option(option: &Arg) -> Value {
    let is_flag = matches!(option.get_action(), ArgAction::SetTrue);
    let is_many = matches!(option.get_action(), ArgAction::Append);
    let one = json!({ "type": if is_flag { "boolean" } else { "string" } });
    let schema = if is_many {
        json!({ "type": "array", "items": one })
    } else {
        one
    };
    let help = option.get_help().map(ToString::to_string);
    let name = option.get_long().unwrap_or_default();
    parameter(name, help.as_deref().unwrap_or_default(), &schema)
}
