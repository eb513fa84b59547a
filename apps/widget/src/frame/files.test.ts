import { expect, test } from 'vitest'
import { findFileProblem, messageTypeOf, type UploadKind } from './files.ts'

const LIMIT = { maxBytes: 10_000_000, kinds: ['image', 'audio', 'video', 'document'] as const satisfies UploadKind[] }

test('common files pass', () => {
  for (const [name, type] of [
    ['foto.jpg', 'image/jpeg'],
    ['voz.ogg', 'audio/ogg'],
    ['boleto.PDF', ''],
    ['planilha.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ] as const) {
    expect(findFileProblem({ name, type, size: 1000 }, LIMIT)).toBeUndefined()
  }
})

test('what cannot be sent is explained with its name', () => {
  expect(findFileProblem({ name: 'v.mp4', type: 'video/mp4', size: 25_400_000 }, LIMIT)).toBe(
    '"v.mp4" tem 25 MB. O limite é 10 MB.',
  )
  expect(findFileProblem({ name: 'a.exe', type: 'application/x-msdownload', size: 9 }, LIMIT)).toContain(
    'Não aceitamos',
  )
  expect(findFileProblem({ name: 'a.svg', type: 'image/svg+xml', size: 9 }, LIMIT)).toContain('Não aceitamos')
  const pictures = { ...LIMIT, kinds: ['image' as const] }
  expect(findFileProblem({ name: 'a.pdf', type: 'application/pdf', size: 9 }, pictures)).toBe(
    'Não aceitamos "a.pdf". Envie imagem.',
  )
  expect(findFileProblem({ name: 'a.txt', type: 'text/plain', size: 0 }, LIMIT)).toContain('vazio')
})

test('an svg is never shown as a picture', () => {
  expect(messageTypeOf('image/png')).toBe('image')
  expect(messageTypeOf('image/svg+xml')).toBe('document')
  expect(messageTypeOf('application/pdf')).toBe('document')
})
