import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { closeChannels, openEvolution } from './channels.ts'
import { newPhone, staffQueue } from './inbox.ts'
import { type Company, closeWindows, goTo, hasFocus, openAs, openCompany, type Server, toast, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let queueId: string
let database: pg.Client

// A company for each attempt: another one finds no groups, jobs or rules of the one before.
beforeEach(async () => {
  ;({ server, browser, admin } = await openCompany())
  ;({ queueId } = await staffQueue(server, admin.session, ['Ana Souza']))
  database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
})
afterEach(() => database.end())
afterAll(() => closeChannels())
closeWindows(
  () => browser,
  () => server,
)

let groups = 0
/** A number of the company, and what is done with its groups: no two of the file are the same group. */
const openPhone = async (name: string) => {
  const { evolution, instance } = await openEvolution(admin.api, queueId, name)
  await evolution.scan(instance)
  const person = (of: string) => evolution.customer({ phone: newPhone(), name: of })
  const group = (subject: string, who: ReturnType<typeof person>, ours: 'admin' | 'member' = 'admin') => {
    groups += 1
    return Object.assign(evolution.group(subject, [who], ours), { jid: `12036300000009${groups}@g.us` })
  }
  return { evolution, instance, person, group }
}

test('groups of two channels get a name at once, with a pause, a result for each, and back again', async () => {
  const [store, stock] = [await openPhone('WhatsApp das turmas'), await openPhone('WhatsApp do estoque')]
  const [lia, rui] = [store.person('Lia Costa'), stock.person('Rui Prado')]
  const turmas = ['Turma 1', 'Turma 2', 'Turma 3'].map((name) => store.group(name, lia))
  const arrivals = stock.group('Chegadas', rui)
  stock.group('Dos fornecedores', rui, 'member')
  const named = () => [...turmas, arrivals].filter(({ subject }) => subject === 'Ofertas da semana').length

  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos2')
  await page.getByRole('button', { name: 'Atualizar lista' }).first().click()
  await page.getByRole('row').filter({ hasText: 'Dos fornecedores' }).waitFor()
  for (const name of ['Turma 1', 'Turma 2', 'Turma 3', 'Chegadas', 'Dos fornecedores'])
    await page.getByRole('checkbox', { name: `Selecionar ${name}` }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Trocar o nome' }).click()
  const form = page.getByRole('dialog', { name: 'Trocar o nome' })
  await form.getByText('Em 1 grupo este número não é administrador').waitFor()
  await form.getByRole('textbox', { name: 'Novo nome' }).fill('Ofertas da semana')
  await form.getByRole('textbox', { name: 'Intervalo entre grupos (segundos)' }).fill('600')
  await form.getByRole('button', { name: 'Fazer em 5 grupos' }).click()
  await form.waitFor({ state: 'detached' })

  // One of each channel at once; the next ones rest.
  const progress = page.getByRole('region', { name: 'Ações em massa' })
  await progress.getByText('2 de 5').waitFor()
  await progress.getByRole('button', { name: 'Pausar' }).click()
  await progress.getByRole('button', { name: 'Continuar' }).waitFor()
  await restsEnd()
  expect(named()).toBeLessThan(4)
  await progress.getByRole('button', { name: 'Continuar' }).click()
  await whileResting(progress.getByText('Feito em parte: 4 de 5 grupos'))
  expect(named()).toBe(4)

  await page.getByRole('button', { name: 'Resultados por grupo' }).click()
  const results = page.getByRole('dialog')
  await results.getByRole('button', { name: /Trocar o nome/ }).click()
  const row = (name: string) => results.getByRole('listitem').filter({ hasText: name })
  await row('Turma 2').getByText('Feito', { exact: true }).waitFor()
  await row('Dos fornecedores').getByText('Não feito').waitFor()
  await page.keyboard.press('Escape')
  await results.waitFor({ state: 'detached' })

  // Pressed twice, the second time where the job that undoes now has its own buttons.
  await progress.getByRole('button', { name: 'Desfazer' }).dblclick({ delay: 200 })
  await whileResting(page.getByRole('row').filter({ hasText: 'Turma 3' }))
  await until('the names are back', () => restsEnd().then(() => named() === 0))
  expect(turmas.map(({ subject }) => subject)).toEqual(['Turma 1', 'Turma 2', 'Turma 3'])
})

test('who comes is greeted, a forbidden word and a banned number go, and the log says why', async () => {
  const { evolution, instance, person, group: lead } = await openPhone('WhatsApp do bairro')
  const [bia, caio, davi] = [person('Bia Nunes'), person('Caio Dias'), person('Davi Lopes')]
  const group = lead('Bairro', bia)
  const joins = (who: typeof bia) => {
    group.members.push({ customer: who, isAdmin: false })
    const participants = [{ id: `${who.lid}@lid`, phoneNumber: who.jid }]
    return evolution.emit(instance, 'group-participants.update', { id: group.jid, action: 'add', participants })
  }
  const isIn = (who: typeof bia) => group.members.some(({ customer }) => customer === who)

  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos')
  await page.getByRole('button', { name: 'Atualizar lista' }).first().click()
  await page.getByRole('row').filter({ hasText: 'Bairro' }).waitFor()
  const make = async (path: string, create: string, filled: (form: Locator) => Promise<void>) => {
    await goTo(page, path)
    await page.getByRole('button', { name: create }).first().click()
    const form = page.getByRole('dialog')
    // What is said of the field that was left does not move from under the pointer what is pressed.
    await form.getByRole('textbox').first().focus()
    await form.getByRole('combobox', { name: 'Canal' }).click()
    await page.getByRole('option', { name: 'WhatsApp do bairro' }).waitFor()
    await page.keyboard.press('Escape')
    await filled(form)
    await form.getByRole('combobox', { name: 'Canal' }).click()
    await page.getByRole('option', { name: 'WhatsApp do bairro' }).click()
    await form.getByRole('button', { name: /^(Salvar|Criar|Proibir|Banir)/ }).click()
    await form.waitFor({ state: 'detached' })
  }
  await make('/grupo/saudacao', 'Criar saudação', (form) =>
    form.getByRole('textbox', { name: 'Mensagem' }).fill('Que bom ter você no {{group}}, {{name}}!'),
  )
  await make('/grupo/wordlist', 'Proibir palavras', async (form) => {
    await form.getByRole('textbox', { name: 'Palavras', exact: true }).fill('Golpe\npirâmide')
    await form.getByRole('combobox', { name: 'O que fazer' }).click()
    await page.getByRole('option', { name: 'Apagar e remover a pessoa' }).click()
  })
  await make('/grupo/banlist', 'Banir número', async (form) => {
    await form.getByRole('textbox', { name: 'Número' }).fill(davi.phone.replace(/^55/, ''))
    await form.getByRole('textbox', { name: 'Motivo' }).fill('Vendia no grupo')
  })

  await joins(caio)
  // Who has not written yet may be known by number alone.
  await until('Caio is greeted', () => bia.inbox.some(({ text }) => text?.startsWith('Que bom ter você no Bairro, ')))
  await caio.sendText('isso é g.o.l.p.e', { group })
  await until('Caio is out', () => !isIn(caio))
  await joins(davi)
  await until('Davi is out', () => !isIn(davi))

  await goTo(page, '/grupo/registro')
  const log = (one: string, other: string) => page.getByRole('row').filter({ hasText: one }).filter({ hasText: other })
  await log('Caio Dias', 'Apagar e remover').getByText('golpe', { exact: true }).waitFor()
  await log('Saudar', 'Bairro').getByText('Feito', { exact: true }).waitFor()
  await log('Remover do grupo', 'Vendia no grupo').getByText('Feito', { exact: true }).waitFor()
  // On a phone what became of it is read, however long the row is.
  await page.setViewportSize({ width: 390, height: 844 })
  await log('Caio Dias', 'Apagar e remover')
    .getByText(/^Feito · Apagar e remover: golpe · Bairro/)
    .waitFor()
})

test('a pasted list is corrected where it stands: each wrong line is named, and nothing typed is lost', async () => {
  const { group, person } = await openPhone('WhatsApp das turmas')
  group('Turma 1', person('Lia Costa'))
  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos')
  await page.getByRole('button', { name: 'Criar grupos' }).first().click()
  const form = page.getByRole('dialog', { name: 'Criar grupos' })
  const names = form.getByRole('textbox', { name: 'Nome' })
  const numbers = form.getByRole('textbox', { name: 'Quem entra' })
  await until('the first field is typed in', () => hasFocus(form.getByRole('combobox', { name: 'Canal' })))
  await page.keyboard.type('turmas')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: /^Criar grupo/ }).click()
  await form.getByText('Escreva o nome.').first().waitFor()
  await names.fill('Turma 2\n\nTurma 3')
  expect(await form.getByText('Escreva o nome.').count()).toBe(0)

  const list = 'telefone;nome\n"11 98765-4321";Ana\n\n(11) 9876\n;;\nsem número'
  await numbers.fill(list)
  await form.getByRole('button', { name: 'Criar 2 grupos' }).click()
  await form.getByText('Confira com DDD: “(11) 9876” (linha 4), “sem número” (linha 6).').first().waitFor()
  expect(await numbers.inputValue()).toBe(list)
  await numbers.fill('11 98765-4321')
  expect(await form.getByRole('alert').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  expect(await names.inputValue()).toBe('Turma 2\n\nTurma 3')
  await form.getByRole('button', { name: 'Criar 2 grupos' }).click()
  await form.waitFor({ state: 'detached' })

  await goTo(page, '/grupo/banlist')
  await page.getByRole('button', { name: 'Banir vários' }).first().click()
  const bans = page.getByRole('dialog', { name: 'Banir vários números' })
  await bans.getByRole('button', { name: 'Banir', exact: true }).click()
  await bans.getByText('Escolha o canal.').first().waitFor()
  await bans.getByRole('textbox', { name: 'Números' }).fill(list)
  await bans.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WhatsApp das turmas' }).click()
  expect(await bans.getByRole('alert').count()).toBe(0)
  const left = bans.getByRole('list', { name: 'O que fica de fora' })
  await left.getByText('Linha 4').waitFor()
  await bans.getByRole('button', { name: 'Banir 1 número' }).click()
  await toast(page, '1 número banido.').waitFor()
  expect(await bans.getByRole('textbox', { name: 'Números' }).inputValue()).toBe('telefone;nome\n(11) 9876\nsem número')

  // What was asked for here is followed here, not among the conversations.
  await bans.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await goTo(page, '/atendimento/chats')
  await page.getByPlaceholder('Buscar atendimentos').waitFor()
  expect(await page.getByRole('region', { name: 'Ações em massa' }).count()).toBe(0)
})

test('a new group of more people than one call takes gets the others once it is there; the list becomes a file', async () => {
  const { person, evolution } = await openPhone('WhatsApp da vila')
  const [eva, gil] = [person('Eva Braga'), person('Gil Moura')]
  const strangers = Array.from({ length: 148 }, () => newPhone())
  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos')
  await page.getByRole('button', { name: 'Criar grupos' }).click()
  const form = page.getByRole('dialog', { name: 'Criar grupos' })
  await form.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WhatsApp da vila' }).click()
  await form.getByRole('textbox', { name: 'Nome' }).fill('Vila')
  await form
    .getByRole('textbox', { name: 'Quem entra' })
    .fill([eva.phone, ...strangers, gil.phone].map((phone) => `+${phone}`).join('\n'))
  await form.getByText('Cada um começa com até 100 pessoas').waitFor()
  await form.getByRole('button', { name: 'Criar grupo' }).click()
  await form.waitFor({ state: 'detached' })
  const progress = page.getByRole('region', { name: 'Ações em massa' })
  await whileResting(progress.getByText(/2 partes/))
  const made = () => evolution.groups.find(({ subject }) => subject === 'Vila')
  const isIn = (who: typeof eva) => made()?.members.some(({ customer }) => customer.phone === who.phone)
  expect([isIn(eva), isIn(gil)]).toEqual([true, true])

  await page.getByRole('button', { name: 'Resultados por grupo' }).click()
  const results = page.getByRole('dialog')
  await results.getByRole('button', { name: /Criar grupos · Vila/ }).click()
  await results.getByText('pessoas 1 a 100 de 150').waitFor()
  await results.getByText('pessoas 101 a 150 de 150').waitFor()
  await page.keyboard.press('Escape')
  await results.waitFor({ state: 'detached' })

  await page.getByRole('row').filter({ hasText: 'Vila' }).waitFor()
  await page.getByRole('button', { name: 'Exportar CSV' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    progress.getByRole('button', { name: 'Baixar' }).click(),
  ])
  const [heads, ...lines] = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(heads).toMatch(/^\uFEFFGrupo;Canal;Pessoas;/)
  expect(lines.some((line) => line.startsWith('Vila;WhatsApp da vila;'))).toBe(true)
})

test('Back closes what lies over the list of groups; a message for them says at each field what it lacks', async () => {
  const { group, person } = await openPhone('WhatsApp das turmas')
  group('Turma 1', person('Lia Costa'))
  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos')
  await page.getByRole('button', { name: 'Atualizar lista' }).first().click()
  const dialog = page.getByRole('dialog')
  const isList = (url: URL) => url.pathname === '/grupo/massagrupos' && url.search === ''
  const row = page.getByRole('row').filter({ hasText: 'Turma 1' })
  await row.getByRole('button', { name: 'Turma 1' }).click()
  await dialog.getByText('Lia Costa').waitFor()
  await page.goBack()
  await page.waitForURL(isList)
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Resultados por grupo' }).click()
  await dialog.getByText('Você ainda não mudou nenhum grupo.').waitFor()
  await page.goBack()
  await page.waitForURL(isList)
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('checkbox', { name: 'Selecionar Turma 1' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Agendar mensagem' }).click()
  const words = dialog.getByRole('textbox', { name: 'Mensagem' })
  const moment = dialog.getByRole('textbox', { name: 'Quando' })
  const told = (field: Locator, text: string) =>
    until(text, () =>
      field.evaluate(
        (one, words) =>
          (one.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .some((id) => document.getElementById(id)?.textContent === words),
        text,
      ),
    )
  const press = () => dialog.getByRole('button', { name: 'Agendar em 1 grupo' }).click()
  await press()
  await told(words, 'Escreva a mensagem ou anexe um arquivo.')
  await told(moment, 'Informe a data e a hora do envio.')
  await until('what is first is typed next', () => hasFocus(words))
  await page.keyboard.type('Até sábado!')
  expect(await words.getAttribute('aria-invalid')).not.toBe('true')
  // What only the server refuses is said there too.
  await moment.fill('01/02/2020 10:00')
  await press()
  await until('the moment is at hand', () => hasFocus(moment))
  expect(await moment.getAttribute('aria-invalid')).toBe('true')
  await moment.fill('01/02/2031 10:00')
  await press()
  await toast(page, 'Mensagem agendada.').waitFor()
})

test('on a slow line, what has not come yet is not said to be missing', async () => {
  const { group, person } = await openPhone('WhatsApp das turmas')
  group('Turma 1', person('Lia Costa'))
  const page = await openAs(browser, server.url, admin.session, '/grupo/massagrupos')
  await page.getByRole('button', { name: 'Atualizar lista' }).first().click()
  await page.getByRole('row').filter({ hasText: 'Turma 1' }).waitFor()
  /** The answer is under way until it is let through. */
  const hold = async (address: string) => {
    const held = Promise.withResolvers<void>()
    await page.route(address, (route) => held.promise.then(() => route.continue()))
    return held.resolve
  }

  const letJobs = await hold('**/api/bulkJobs')
  await page.goto(`${server.url}/grupo/massagrupos?resultado=lista`)
  const results = page.getByRole('dialog', { name: 'Resultados' })
  await results.waitFor()
  const none = results.getByText('Você ainda não mudou nenhum grupo.')
  expect(await none.count()).toBe(0)
  letJobs()
  await none.waitFor()

  const letGroups = await hold('**/api/groups?**')
  await page.goto(`${server.url}/grupo/despedida`)
  await page.getByRole('button', { name: 'Criar despedida' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: 'WhatsApp das turmas' }).click()
  await form.getByRole('combobox', { name: 'Grupos' }).click()
  await page.getByText('Lendo…').waitFor()
  letGroups()
  await page.getByRole('option', { name: 'Turma 1' }).waitFor()
})

/** The minutes between two groups of a channel are over; who waits for a group to be made goes on waiting. */
const restsEnd = async () => {
  await database.query(`update group_pace set next_at = now() - interval '1 second'`)
  await database.query(`update group_act_rows set due_at = now() - interval '1 second'
    where state = 'waiting' and isfinite(due_at)`)
}
const whileResting = (shown: Locator) => until('the job ends', () => restsEnd().then(() => shown.isVisible()))
