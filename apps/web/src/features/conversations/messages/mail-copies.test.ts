import { expect, test } from 'vitest'
import { copiesProblem } from './mail-head.ts'

test.each([
  ['fits', { cc: ['bia@example.com'], bcc: ['chefe@loja.com.br'] }, null],
  [
    'is no address, and stays to be put right',
    { cc: ['bia@example.com'], bcc: ['naoeemail'] },
    '“naoeemail” não é um e-mail. Corrija o endereço ou tire-o das cópias.',
  ],
  [
    'is one too many',
    { cc: ['a@example.com', 'b@example.com'], bcc: ['c@example.com'] },
    'São 3 endereços em cópia, e cabem 2. Tire alguns.',
  ],
])('a copy that %s', (_what, head, problem) => {
  expect(copiesProblem(head, 2)).toBe(problem)
})
