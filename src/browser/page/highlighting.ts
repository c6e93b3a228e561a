import { HighlightStyle } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** The classes of what programs are made of, in editors and in prose. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], class: "t-comment" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "t-number" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "t-keyword" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    class: "t-call",
  },
]);
