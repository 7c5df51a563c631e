;; Turns the text of the embedded module back into its bytes; see packed-wasm.mjs, which puts numbers
;; in the place of the capitals. The text is where memory begins, and the bytes take its place.
(module
  (memory (export "memory") PAGES)
  (data (i32.const TABLE_AT) "TABLE")
  (func (export "unpack") (param $length i32) (result i32)
    (local $at i32) (local $code i32) (local $out i32)
    (loop $next
      (local.set $code (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      ;; The first of two characters says in which part of the table the second is looked up.
      (if (i32.ge_u (local.get $code) (i32.const FIRST_PREFIX))
        (then
          (local.set $code
            (i32.add
              (i32.load8_u (local.get $at))
              (i32.shl
                (i32.sub (local.get $code) (i32.const BEFORE_PREFIXES))
                (i32.const 7))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (i32.store8 (local.get $out) (i32.load8_u offset=TABLE_AT (local.get $code)))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $length))))
    (local.get $out)))
