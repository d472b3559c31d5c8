"""Schemas said so that a grammar can keep to them: llama.cpp makes one of the schema of a reply."""

from collections.abc import Mapping
from typing import Any


def spelled_out(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with every list that is to name each of some values once spelled out item by item.

    Such a list has a fixed length, and its items a property with as many values as that. A schema cannot say
    that each value comes once, and a small model repeats itself; a grammar of the items one after the other
    leaves it no choice.

    >>> item = {"type": "object", "properties": {"id": {"enum": ["a", "b"]}}}
    >>> made = spelled_out({"type": "array", "items": item, "minItems": 2, "maxItems": 2})
    >>> [each["properties"]["id"] for each in made["prefixItems"]]
    [{'const': 'a'}, {'const': 'b'}]
    """
    made: dict[str, Any] = _walked(schema, schema.get("$defs", {}))
    return made


def _walked(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_walked(each, definitions) for each in node]
    if not isinstance(node, Mapping):
        return node
    found = {name: _walked(value, definitions) for name, value in node.items()}
    return _one_by_one(found, definitions) if found.get("type") == "array" else found


def _one_by_one(array: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    many, item = array.get("minItems"), array.get("items", {})
    item = definitions.get(str(item.get("$ref")).rpartition("/")[2], item)
    properties: Mapping[str, Any] = item.get("properties", {})
    naming = [name for name, value in properties.items() if len(value.get("enum", ())) == many]
    if many != array.get("maxItems") or len(naming) != 1:
        return array
    (name,) = naming
    items = [
        {**item, "properties": {**properties, name: {"const": value}}} for value in properties[name]["enum"]
    ]
    return {**{key: value for key, value in array.items() if key != "items"}, "prefixItems": items}
