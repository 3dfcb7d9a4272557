// The parts of CodeMirror 6 that the playground uses, as one module.
export { EditorState, StateEffect, StateField, RangeSetBuilder, Compartment } from "@codemirror/state";
export {
  EditorView, Decoration, WidgetType, GutterMarker, gutter, hoverTooltip, keymap, lineNumbers, drawSelection,
  highlightActiveLine, highlightActiveLineGutter, ViewPlugin,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, bracketMatching } from "@codemirror/language";
export { setDiagnostics } from "@codemirror/lint";
export { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { tags } from "@lezer/highlight";
