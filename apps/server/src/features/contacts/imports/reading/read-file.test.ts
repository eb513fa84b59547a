import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { run, type Wanted } from './read-file.task.ts'

async function* none(): AsyncGenerator<never> {}
const read = async (bytes: Uint8Array | string, wanted: Wanted = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-test-'))
  const [path, rowsPath] = [join(folder, 'file'), join(folder, 'rows')]
  await writeFile(path, bytes)
  const outcome = await run({ path, rowsPath, wanted }, none())
  const lines =
    'refusal' in outcome
      ? []
      : (await readFile(rowsPath, 'utf8'))
          .trim()
          .split('\n')
          .map((one) => JSON.parse(one))
  return { ...outcome, rows: lines as [number, string[]][] } as {
    refusal?: string
    rows: [number, string[]][]
  } & Extract<typeof outcome, { total: number }>
}

type Cell = string | number | { xml: string }
const cellXml = (cell: Cell, reference: string) => {
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`
  return cell.xml.replace('<c', `<c r="${reference}"`)
}
const letter = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letter(Math.floor(at / 26) - 1) + letter(at % 26)
const workbook = (
  rows: Cell[][],
  {
    after = '',
    parts = {},
    sheets = ['Clientes'],
  }: { after?: string; parts?: Record<string, string>; sheets?: string[] } = {},
) => {
  const data = rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, at) => cellXml(cell, `${letter(at)}${row + 1}`)).join('')}</row>`,
    )
    .join('')
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      sheets.map((_, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${at ? '' : data}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

const people = 'Nome;Telefone\r\nMaria;11987654321\r\nJosé;(21) 98888-7777\r\n'
const utf16 = (text: string, order: 'le' | 'be', mark: boolean) => {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

test.each([
  ['UTF-8', Buffer.from(people), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${people}`), 'utf-8'],
  ['Windows-1252', Buffer.from(people, 'latin1'), 'windows-1252'],
  ['UTF-16 as Excel saves it', utf16(people, 'le', true), 'utf-16le'],
  ['UTF-16 without a mark', utf16(people, 'le', false), 'utf-16le'],
  ['UTF-16, the other way round', utf16(people, 'be', true), 'utf-16be'],
])('a text file in %s is read', async (_name, bytes, encoding) => {
  const file = await read(bytes)
  expect(file).toMatchObject({
    reading: { format: 'csv', encoding, delimiter: ';' },
    headings: ['Nome', 'Telefone'],
    total: 2,
  })
  expect(file.rows).toEqual([
    [2, ['Maria', '11987654321']],
    [3, ['José', '(21) 98888-7777']],
  ])
})

test.each([
  [',', 'Nome,Telefone,"Obs, livre"\nMaria,11987654321,"a, b; c"'],
  ['\t', 'Nome\tTelefone\tObs\nMaria\t11987654321\ta, b'],
  ['|', 'Nome|Telefone|Obs\nMaria|11987654321|a; b, c'],
  [';', 'sep=;\r\nNome;Telefone;Obs\r\nMaria;11987654321;"disse ""oi"""'],
])('what separates cells by %j is recognised', async (delimiter, text) => {
  const file = await read(text)
  expect(file.reading).toMatchObject({ delimiter })
  expect(file.rows[0]?.[1].slice(0, 2)).toEqual(['Maria', '11987654321'])
  expect(file.columns).toBe(3)
})

test('a title above the headings, empty rows and duplicate headings stand in nobody’s way', async () => {
  const file = await read(
    'Clientes de 2026;;\n;;\nNome;Telefone;Telefone\nMaria;11987654321;1133334444\n;;\nJosé;21988887777;',
  )
  expect(file).toMatchObject({ headings: ['Nome', 'Telefone', 'Telefone'], total: 2, hasHeadings: true })
  expect(file.reading.notes).toEqual([
    'A primeira linha, um título, ficou de fora.',
    'Há colunas com o mesmo título (Telefone): confira o que é cada uma.',
  ])
})

test('a file without headings has none', async () => {
  expect(await read('Maria;11987654321\nJosé;21988887777')).toMatchObject({
    headings: [],
    hasHeadings: false,
    total: 2,
  })
})

test('signs that spreadsheets put before a text are no part of it', async () => {
  const file = await read(`Nome;Telefone\n'=SOMA(A1);="11987654321"`)
  expect(file.rows[0]?.[1]).toEqual(['=SOMA(A1)', '11987654321'])
})

test('a text too long for a cell is cut before an emoji, not in its middle', async () => {
  const file = await read(`Nome;Telefone;Obs\nMaria;11987654321;${'x'.repeat(3_999)}😀`)
  expect(file.rows[0]?.[1][2]).toBe('x'.repeat(3_999))
})

test('a workbook is read: texts, numbers without exponent, dates, results of formulas', async () => {
  const file = await read(
    workbook(
      [
        ['Nome', 'Telefone', 'Nascimento', 'Obs'],
        [
          { xml: '<c t="s"><v>0</v></c>' },
          5511987654321,
          { xml: '<c s="1"><v>33000</v></c>' },
          { xml: '<c t="str"><f>A1&amp;B1</f><v>resultado</v></c>' },
        ],
        ['José', '21 98888-7777', { xml: '<c t="d"><v>1990-02-28T00:00:00</v></c>' }, { xml: '<c><f>SUM(1)</f></c>' }],
      ],
      {
        parts: { 'xl/sharedStrings.xml': '<sst><si><r><t>Maria </t></r><r><t>Silva</t></r></si></sst>' },
        sheets: ['Clientes', 'Outra'],
      },
    ),
  )
  expect(file).toMatchObject({
    reading: { format: 'xlsx', sheet: 'Clientes', sheets: ['Clientes', 'Outra'] },
    total: 2,
  })
  expect(file.rows).toEqual([
    [2, ['Maria Silva', '5511987654321', '07/05/1990', 'resultado']],
    [3, ['José', '21 98888-7777', '28/02/1990', '#FÓRMULA']],
  ])
  expect(file.reading.notes).toEqual([expect.stringContaining('fórmula sem resultado')])
})

test('numbers are read as one sees them: money with its cents, hours, shares, zeros that lead', async () => {
  const formats = [
    ['#,##0.00', 149.9, '149,90'],
    ['"R$" #,##0.00;[Red]-"R$" #,##0.00', 1234.5, '1234,50'],
    ['dd/mm/yyyy hh:mm', 46_378.604_166_666_664, '22/12/2026 14:30'],
    ['dd/mm/yyyy hh:mm', 46_378, '22/12/2026'],
    ['[$-416]d" de "mmmm', 46_378, '22/12/2026'],
    ['h:mm', 0.604_166_666_666_666_6, '14:30'],
    ['0%', 0.15, '15%'],
    ['0.0%', 0.155, '15,5%'],
    ['00000000000', 1_234_567_890, '01234567890'],
    ['000000000-00', 1_234_567_890, '01234567890'],
    ['0', 5_511_987_654_321, '5511987654321'],
    ['#,##0', 11_987_654_321, '11987654321'],
    ['General', 0.1 + 0.2, '0,3'],
    ['@', 42, '42'],
    ['0.00', -3.5, '-3,50'],
  ] as const
  const styles = formats.map(
    ([code], at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  )
  const cells = formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`)
  const file = await read(
    workbook(
      [
        ['Nome', 'Telefone', ...formats.map((_, at) => `C${at}`)],
        ['Maria', 11987654321, ...formats.map(([, value], at) => ({ xml: `<c s="${at}"><v>${value}</v></c>` }))],
      ],
      {
        parts: {
          'xl/styles.xml': `<styleSheet><numFmts>${styles.join('')}</numFmts><cellXfs>${cells.join('')}</cellXfs></styleSheet>`,
        },
      },
    ),
  )
  expect(file.rows[0]?.[1].slice(2)).toEqual(formats.map(([, , text]) => text))
})

test('merged cells are told', async () => {
  const file = await read(
    workbook(
      [
        ['Nome', 'Telefone', 'Empresa'],
        ['Maria', 11987654321, 'ACME'],
        ['José', 21988887777],
      ],
      {
        after: '<mergeCells count="1"><mergeCell ref="C2:C3"/></mergeCells>',
      },
    ),
  )
  expect(file.reading.notes).toEqual([expect.stringContaining('mescladas (C2:C3)')])
})

const wide = (columns: number) => [
  Array.from({ length: columns }, (_, at) => `C${at}`),
  Array.from({ length: columns }, (_, at) => `v${at}`),
]
const bomb = () =>
  zipSync(
    { 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': new Uint8Array(40_000_000).fill(32) },
    { level: 9 },
  )

/** A bomb whose archive says that it holds next to nothing. */
const lyingBomb = () => {
  const bytes = Buffer.from(workbook([], { parts: { 'xl/worksheets/sheet1.xml': ' '.repeat(40_000_000) } }))
  for (const [mark, at] of [
    ['504b0304', 22],
    ['504b0102', 24],
  ] as const) {
    for (let from = bytes.indexOf(mark, 0, 'hex'); from >= 0; from = bytes.indexOf(mark, from + 4, 'hex'))
      if (bytes.readUInt32LE(from + at) === 40_000_000) bytes.writeUInt32LE(1_000, from + at)
  }
  return bytes
}

test.each<[string, () => Uint8Array | string, RegExp]>([
  ['an empty file', () => '', /vazio/],
  ['empty rows alone', () => ';;;\n;;;\n', /nenhuma linha/],
  ['a card that never ends', () => 'BEGIN:VCARD\nVERSION:3.0\nFN:Zé\nTEL:11987654321\n', /nenhum contato inteiro/],
  ['headings alone', () => 'Nome;Telefone\n', /só tem o cabeçalho/],
  [
    '16,000 columns of text',
    () =>
      wide(16_000)
        .map((row) => row.join(';'))
        .join('\n'),
    /16\.000 colunas/,
  ],
  [
    '16,000 columns with long headings',
    () =>
      wide(16_000)
        .map((row) => row.map((cell) => `Endereço de cobrança ${cell}`).join(';'))
        .join('\n'),
    /mais de 200 colunas/,
  ],
  ['16,000 columns of a workbook', () => workbook(wide(16_000)), /depois da coluna 200/],
  [
    'more rows than we take',
    () => `Nome;Telefone\n${'Maria;11987654321\n'.repeat(200_001)}`,
    /mais de 200\.000 linhas/,
  ],
  [
    'a quote that never closes',
    () => `Nome;Telefone\nMaria;11987654321\n"José;21988887777\n${'x;y\n'.repeat(60_000)}`,
    /aspas .* não fecham perto da linha 3/,
  ],
  ['a zip bomb', bomb, /grande demais/],
  ['a zip bomb that lies about its size', lyingBomb, /corrompida/],
  ['a zip that is no workbook', () => zipSync({ 'a.txt': strToU8('oi') }), /não é uma planilha/],
  ['a LibreOffice file', () => zipSync({ 'content.xml': strToU8('<a/>') }), /ODS/],
  [
    'a workbook cut in half',
    () =>
      workbook([
        ['Nome', 'Telefone'],
        ['Maria', '11987654321'],
      ]).slice(0, 400),
    /corrompida/,
  ],
  [
    'a broken sheet',
    () => workbook([], { parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row>' } }),
    /corrompida/,
  ],
  ['a workbook without a sheet', () => workbook([], { sheets: [] }), /nenhuma aba/],
  [
    'entities that call each other',
    () =>
      workbook([], {
        parts: {
          'xl/worksheets/sheet1.xml':
            '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>',
        },
      }),
    /corrompida/,
  ],
  [
    'an old workbook, or one with a password',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    /Excel antigo/,
  ],
  [
    'a page saved as a spreadsheet',
    () => '<html><table><tr><td>Nome</td></tr></table></html>',
    /não é uma planilha de verdade/,
  ],
  [
    'a picture',
    () =>
      Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), Buffer.alloc(500, 7), Buffer.from([0, 0, 0, 1])]),
    /não é uma planilha/,
  ],
])('%s is refused with a reason', async (_name, make, reason) => {
  expect((await read(make())).refusal).toMatch(reason)
})

test('what was saved in the wrong letters is told', async () => {
  const file = await read('Nome;Telefone\nJoÃ£o;11987654321')
  expect(file.reading.notes).toEqual([expect.stringContaining('acentos parecem trocados')])
})

test('cards of all three versions are read', async () => {
  const cards = [
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Silva;Jo=C3=A3o=20;;;\r\nTEL;CELL:11 98765-4321\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n AAAA\r\n\r\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:3.0\nFN:Maria\\, a Dona\nORG:ACME;Vendas\nTEL;TYPE=HOME:1133334444\nTEL;type=CELL;waid=5511987650000:+55 11 98765-0000\nitem1.EMAIL;TYPE=INTERNET:maria@a\n cme.com\nBDAY:1990-02-28\nNOTE:linha 1\\nlinha 2\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:4.0\nFN:Zé\nTEL;VALUE=uri;PREF=1:tel:+55-21-98888-7777\nADR:;;Rua A\\, 1;São Paulo;SP;01001-000;Brasil\nBDAY:--0228\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:3.0\nFN:De um iPhone\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-02-28\nEND:VCARD',
  ]
  const file = await read(cards.join('\n'))
  expect(file).toMatchObject({ reading: { format: 'vcard' }, total: 4 })
  expect(
    file.rows.map(([, [name, phone, second, , , mail, company, birthday]]) =>
      [name, phone, second, mail, company, birthday].map((cell) => cell ?? ''),
    ),
  ).toEqual([
    ['João Silva', '11 98765-4321', '', '', '', ''],
    ['Maria, a Dona', '+5511987650000', '1133334444', 'maria@acme.com', 'ACME', '28/02/1990'],
    ['Zé', '+55-21-98888-7777', '', '', '', ''],
    ['De um iPhone', '', '', '', '', ''],
  ])
  expect(file.rows[2]?.[1].slice(9)).toEqual(['Rua A, 1', '', 'São Paulo', 'SP', '01001-000'])
})
