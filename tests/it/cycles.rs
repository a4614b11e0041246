//! Files of a module that depend on each other in a circle, as a test: none may come to be, and
//! none may grow. To understand one of them, you have to read all.
//!
//! A file depends on another if it names something that is defined there, by whatever path and
//! through whatever `pub use`. That the head of a folder names its files does not count, nor do
//! tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::architecture::{before_tests, sources};

/// How many files of a module may depend on each other. The aim is five.
const FILES_MAX: usize = 5;

/// Modules with larger circles, which are to become smaller.
const LARGER: &[(&str, usize)] = &[("formats", 18), ("games", 50), ("query", 21)];

/// How many circles there may be.
const CIRCLES_MAX: usize = 34;

type ModulePath = Vec<String>;

/// What a file names: by an import that others can name in their turn, by another one, or in code.
#[derive(Default)]
struct Names {
    exported: HashMap<String, ModulePath>,
    used: Vec<ModulePath>,
}

fn module_of(file: &str) -> ModulePath {
    let name = file.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    name.split('/').map(str::to_owned).collect()
}

/// The leaves of a tree of imports: `a::{b, c as d}` has `a::b` and `a::c`, named `d`.
fn leaves(tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = path.trim().trim_end_matches("::self").to_owned();
        let last = path.rsplit("::").next().unwrap_or_default().to_owned();
        let name = if name.is_empty() {
            last
        } else {
            name.trim().to_owned()
        };
        return vec![(path, name)];
    };
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut parts, mut depth, mut part) = (Vec::new(), 0, String::new());
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| leaves(&format!("{}{}", &tree[..open], part.trim())))
        .collect()
}

/// A path from the root; `None` if it leads into another crate.
fn absolute(
    own: &[String],
    path: &str,
    is_module: impl Fn(&[String]) -> bool,
) -> Option<ModulePath> {
    let parts: Vec<String> = path
        .split("::")
        .map(|part| part.trim().to_owned())
        .collect();
    let ups = parts.iter().take_while(|part| *part == "super").count();
    let joined = |own: &[String], rest: &[String]| [own, rest].concat();
    match parts[0].as_str() {
        "crate" => Some(parts[1..].to_vec()),
        "self" => Some(joined(own, &parts[1..])),
        "super" if ups <= own.len() => Some(joined(&own[..own.len() - ups], &parts[ups..])),
        _ => Some(joined(own, &parts)).filter(|path| is_module(&path[..=own.len()])),
    }
}

/// The paths of a code outside its imports: `a::b` of `a::b(c)`.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let words = code.split(move |c: char| !is_part(c));
    words.filter(|word| word.contains("::") && !word.starts_with("::"))
}

fn names_of(own: &[String], code: &str, is_module: impl Fn(&[String]) -> bool + Copy) -> Names {
    let (mut names, mut rest) = (Names::default(), String::new());
    for statement in code.split_inclusive(';') {
        let line = statement.rfind("use ").filter(|&at| {
            let before = statement[..at]
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .trim();
            before.is_empty() || before.starts_with("pub") && !before.contains(' ')
        });
        let Some(at) = line else {
            rest.push_str(statement);
            continue;
        };
        rest.push_str(&statement[..at]);
        let is_exported = statement[..at].trim_end().ends_with("pub")
            || statement[..at].trim_end().ends_with(')');
        for (path, name) in leaves(statement[at + 4..].trim_end_matches(';')) {
            let Some(path) = absolute(own, &path, is_module) else {
                continue;
            };
            if is_exported {
                names.exported.insert(name, path);
            } else {
                names.used.push(path);
            }
        }
    }
    let used = paths(&rest).filter_map(|path| absolute(own, path, is_module));
    names.used.extend(used);
    names
}

/// The file in which what a path names is defined.
fn file_of(all: &BTreeMap<ModulePath, Names>, path: &[String], depth: usize) -> Option<ModulePath> {
    let longest = (1..=path.len())
        .rev()
        .find(|&len| all.contains_key(&path[..len]))?;
    let (module, rest) = path.split_at(longest);
    let exported = rest.first().and_then(|name| all[module].exported.get(name));
    match exported {
        Some(path) if depth < 8 => file_of(all, &[path, &rest[1..]].concat(), depth + 1),
        _ => Some(module.to_vec()),
    }
}

/// The files that can be reached from one.
fn reached(
    graph: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<ModulePath> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(file) = waiting.pop() {
        for next in &graph[file] {
            if found.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    found
}

#[test]
fn few_files_depend_on_each_other() {
    let sources = sources();
    let files: BTreeMap<ModulePath, &str> = (sources.iter())
        .filter(|source| !source.is_test && source.name.contains('/'))
        .map(|source| (module_of(&source.name), before_tests(&source.code)))
        .collect();
    let is_module = |path: &[String]| files.contains_key(path);
    let all: BTreeMap<ModulePath, Names> = (files.iter())
        .map(|(own, code)| (own.clone(), names_of(own, code, is_module)))
        .collect();
    let mut graph: BTreeMap<ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
    for (own, names) in &all {
        let used = names.used.iter();
        let used = used.filter_map(|path| file_of(&all, path, 0));
        let used = used.filter(|file| file[0] == own[0] && !file.starts_with(own));
        graph.insert(own.clone(), used.collect());
    }
    let reach: BTreeMap<&ModulePath, BTreeSet<ModulePath>> = (graph.keys())
        .map(|file| (file, reached(&graph, file)))
        .collect();
    let mut circles: BTreeSet<Vec<&ModulePath>> = BTreeSet::new();
    for (file, own) in reach.iter().filter(|(file, own)| own.contains(**file)) {
        let circle = reach
            .iter()
            .filter(|(other, its)| own.contains(**other) && its.contains(*file));
        circles.insert(circle.map(|(other, _)| *other).collect());
    }
    for circle in &circles {
        let module = &circle[0][0];
        let larger = LARGER.iter().find(|(name, _)| name == module);
        let most = larger.map_or(FILES_MAX, |(_, files)| *files);
        let named: Vec<String> = circle.iter().map(|file| file.join("/")).collect();
        assert!(
            circle.len() <= most,
            "{} files of {module} depend on each other, at most {most}: move what they share \
             into a file of its own\n{}",
            circle.len(),
            named.join("\n")
        );
    }
    let sizes: Vec<usize> = circles.iter().map(Vec::len).collect();
    assert!(
        circles.len() <= CIRCLES_MAX,
        "{} circles: {sizes:?}",
        circles.len()
    );
    // A scanner that finds nothing is no test.
    assert!(sizes.iter().max() >= Some(&3), "{sizes:?}");
    let used: usize = graph.values().map(BTreeSet::len).sum();
    assert!(used > files.len(), "{used} of {}", files.len());
}

#[test]
fn imports_are_taken_apart() {
    let found = leaves("crate::{a::{self, B}, c as d}");
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(path, name)| (&path[..], &name[..]))
        .collect();
    assert_eq!(
        found,
        [("crate::a", "a"), ("crate::a::B", "B"), ("crate::c", "d")]
    );
    let own = module_of("search/pattern/mod.rs");
    assert_eq!(own, ["search", "pattern"]);
    let is_module = |path: &[String]| path.last().is_some_and(|last| last == "facts");
    let at = |path: &str| absolute(&own, path, is_module).map(|path| path.join("::"));
    assert_eq!(
        at("super::select::each").as_deref(),
        Some("search::select::each")
    );
    assert_eq!(
        at("facts::Is").as_deref(),
        Some("search::pattern::facts::Is")
    );
    assert_eq!(at("std::io"), None);
}
