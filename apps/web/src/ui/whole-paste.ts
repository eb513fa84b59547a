import { notify } from './notify.ts'

/**
 * A field's limit stops the typing at its end; of a pasted text the browser would keep the beginning and drop the rest
 * without a word. Here it is kept whole, what is too much is told at once, and the field refuses it when it is saved.
 */
export const keepPastesWhole = () =>
  document.addEventListener(
    'paste',
    ({ target, clipboardData }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
      const { maxLength } = target
      if (maxLength <= shortest) return
      const length = lengthAfter(target, clipboardData?.getData('text/plain') ?? '')
      if (length <= maxLength) return
      target.removeAttribute('maxlength')
      notify.warning(
        `O texto colado tem ${written.format(length)} caracteres e aqui cabem ${written.format(maxLength)}. Encurte antes de salvar.`,
      )
    },
    true,
  )

const written = new Intl.NumberFormat('pt-BR')
/** Hours and codes have a form of their own, which their field keeps. */
const shortest = 10

type Field = { value: string; selectionStart: number | null; selectionEnd: number | null }
/** How long the text of a field is once this is pasted over what is marked in it. */
export const lengthAfter = ({ value, selectionStart, selectionEnd }: Field, pasted: string): number =>
  value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0)) + pasted.length
