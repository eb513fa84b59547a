/** A field's `ref`: it has the focus as soon as it is there, behind its text. What one types while a dialog comes goes on. */
export const focusAtEnd = (field: HTMLTextAreaElement | null) => {
  field?.focus({ preventScroll: true })
  field?.setSelectionRange(field.value.length, field.value.length)
}
