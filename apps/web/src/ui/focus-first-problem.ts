/** Where one problem has no summary, its field is the summary. */
export const focusFirstProblem = (fields: HTMLElement | null) => {
  if (fields?.querySelector(':scope > [role="alert"]')) return
  const wrong = fields?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset [role="alert"]')
  wrong?.scrollIntoView({ block: 'center' })
  wrong?.focus()
}
