import { expect, test } from 'vitest'
import { pastedFiles } from './pasted.ts'

const picture = new File(['x'], 'image.png', { type: 'image/png' })
const clipboard = (texts: Record<string, string>, files = [picture]) => ({
  getData: (type: string) => texts[type] ?? '',
  files: files as unknown as FileList, // a list of them, as far as it is read
})

test('cells of a sheet are their words, a picture is a picture, a file is a file', () => {
  const cells = { 'text/plain': 'Caneca\t40', 'text/html': '<table><tr><td>Caneca</td><td>40</td></tr></table>' }
  expect(pastedFiles(clipboard(cells))).toEqual([])
  expect(pastedFiles(clipboard({}))).toEqual([picture])
  expect(pastedFiles(clipboard({ 'text/html': '<img src="https://loja.com.br/a.png">' }))).toEqual([picture])
  expect(pastedFiles(clipboard({ 'text/plain': 'image.png' }))).toEqual([picture])
  expect(pastedFiles(clipboard({ 'text/plain': 'oi' }, []))).toEqual([])
})
