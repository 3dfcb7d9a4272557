"""Stores of what was there by iterations that race, and stores in the bodies of structured operations."""

from __future__ import annotations

import pytest
from elements.test_loops import compared

EIGHT = "memref<8xf32>"
FILL = f"linalg.fill ins(%one : f32) outs(%b : {EIGHT})\n"
PARALLEL = {
    "parallel": "scf.parallel (%x) = (%c0) to (%c8) step (%c1) {",
    "forall": "scf.forall (%x) in (8) {",
    "affine": "affine.parallel (%x) = (0) to (8) {",
}
STORE = f"memref.store %one, %b[%x] : {EIGHT}\n"
OWN = f"%t = memref.alloc() : {EIGHT}\n"
SAVE, RESTORE = (f"memref.copy {pair} : {EIGHT} to {EIGHT}\n" for pair in ("%b, %t", "%t, %b"))
ITERATIONS = {
    "restore all": OWN + SAVE + FILL.replace("%one", "%two") + RESTORE,
    "copy back, then store": OWN + SAVE + RESTORE + STORE,
    "copy onto itself, then store": f"memref.copy %b, %b : {EIGHT} to {EIGHT}\n" + STORE,
    "yield what is there, then store": f"""linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>],
  iterator_types = ["parallel"]}} outs(%b : {EIGHT}) {{
^bb0(%o: f32):
  linalg.yield %o : f32
}}
"""
    + STORE,
    "restore one": f"""%o = memref.load %b[%c0] : {EIGHT}
memref.store %two, %b[%c0] : {EIGHT}
memref.store %o, %b[%c0] : {EIGHT}
""",
}


def program(body: str, arguments: str = f"%b: {EIGHT}, %a: {EIGHT}", returned: str = "", result: str = "") -> str:
    """Return a function with a body."""
    return f"""func.func @f({arguments}){result} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  {body}
  return {returned}
}}"""


def is_proved(source: str, target: str) -> bool:
    found = compared(source, target)
    return found.word == "proved" and not found.not_compared


@pytest.mark.slow
@pytest.mark.parametrize("loop", PARALLEL)
@pytest.mark.parametrize("name", ITERATIONS)
def test_a_racing_store_of_what_was_there_is_a_store(loop: str, name: str) -> None:
    arguments = f"%b: {EIGHT}"
    target = program(FILL + PARALLEL[loop] + "\n" + ITERATIONS[name] + "}", arguments)
    assert not is_proved(program(FILL, arguments), target)


@pytest.mark.parametrize("loop", PARALLEL)
def test_iterations_that_store_apart_are_proved(loop: str) -> None:
    arguments = f"%b: {EIGHT}"
    for stores in (STORE, STORE + STORE, OWN + STORE):
        assert is_proved(program(FILL, arguments), program(PARALLEL[loop] + "\n" + stores + "}", arguments))


def test_one_element_that_all_iterations_restore_may_be_lost() -> None:
    own = f"%b = memref.alloc() : {EIGHT}\n" + FILL
    load = f"%q = memref.load %b[%c0] : {EIGHT}"
    racing = PARALLEL["parallel"] + "\n" + ITERATIONS["restore one"] + "}\n"
    source, target = (program(body + load, "", "%q : f32", " -> f32") for body in (own, own + racing))
    assert not is_proved(source, target)


SINGLE = "memref<f32>"


@pytest.mark.parametrize("loop", PARALLEL)
def test_a_single_element_that_all_iterations_restore_may_be_lost(loop: str) -> None:
    store = f"memref.store %one, %b[] : {SINGLE}\n"
    restore = f"%o = memref.load %b[] : {SINGLE}\n" + store.replace("one", "two") + store.replace("one", "o")
    target = store + PARALLEL[loop] + "\n" + restore + "}"
    assert not is_proved(program(store, f"%b: {SINGLE}"), program(target, f"%b: {SINGLE}"))


TENSOR = "tensor<8xf32>"
UNCHANGED = f"%r = tensor.cast %t : {TENSOR} to {TENSOR}"
INSERTED = f"""%r = scf.forall (%x) in (8) shared_outs(%o = %t) -> ({TENSOR}) {{
  %e = tensor.extract_slice %o[0] [8] [1] : {TENSOR} to {TENSOR}
  scf.forall.in_parallel {{
    tensor.parallel_insert_slice %e into %o[0] [8] [1] : {TENSOR} into {TENSOR}
  }}
}}"""


def test_iterations_that_all_insert_the_same_part_are_not_followed() -> None:
    given = f"%t: {TENSOR}", f"%r : {TENSOR}", f" -> {TENSOR}"
    assert not is_proved(program(UNCHANGED, *given), program(INSERTED, *given))


def with_store(store: str) -> str:
    """Return a fill whose body stores something, too."""
    return f"""linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}
  outs(%b : {EIGHT}) {{
^bb0(%o: f32):
  %i = linalg.index 0 : index
  {store}
  linalg.yield %one : f32
}}
"""


STORES = {
    "an element": f"memref.store %one, %a[%c0] : {EIGHT}",
    "each element": f"memref.store %one, %a[%i] : {EIGHT}",
    "what it fills": f"memref.store %two, %b[%c0] : {EIGHT}",
}


@pytest.mark.parametrize("store", STORES)
def test_stores_in_the_body_of_a_structured_operation_count(store: str) -> None:
    assert not is_proved(program(FILL), program(with_store(STORES[store])))
    other = STORES[store].replace("%two", "%zero").replace("%one", "%two").replace("%zero", "%one")
    assert not is_proved(program(with_store(STORES[store])), program(with_store(other)))


def test_stores_in_the_body_of_a_map_count() -> None:
    target = f"""linalg.map outs(%b : {EIGHT}) (%o: f32) {{
  {STORES["an element"]}
  linalg.yield %one : f32
}}"""
    assert not is_proved(program(FILL), program(target))
    owned = f"%a = memref.alloc() : {EIGHT}\n" + FILL.replace("%b", "%a").replace("%one", "%two") + target
    last = f"\n%v = memref.load %a[%c0] : {EIGHT}\nmemref.store %v, %b[%c1] : {EIGHT}"
    assert not is_proved(program(FILL, f"%b: {EIGHT}"), program(owned + last, f"%b: {EIGHT}"))


@pytest.mark.parametrize("map", ["(d mod 2)", "(0)", "(d floordiv 2, 0)"])
def test_layouts_that_keep_elements_in_one_place_are_not_followed(map: str) -> None:
    type = f"memref<8xf32, affine_map<(d) -> {map}>>"
    first, second = (
        f"memref.store %{value}, %b[%{place}] : {type}\n" for value, place in (("one", "c0"), ("two", "c1"))
    )
    assert not is_proved(program(first + second, f"%b: {type}"), program(second + first, f"%b: {type}"))
