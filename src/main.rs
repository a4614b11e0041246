//! The `plydex` program; everything it does is in the library.

fn main() -> std::process::ExitCode {
    plydex::cli::main()
}
