//! Prints the TypeScript declarations of the shapes that cross to JavaScript.

fn main() {
    print!("{}", turnkeeper_core::typescript::declarations());
}
