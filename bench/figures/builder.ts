import type { Flow, FlowDraft } from '@balcao/contract/automation/flows/flows.ts'
import { blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import type { Page } from 'playwright-core'
import type { Bench } from '../bench.ts'
import { bearer } from '../bench.ts'
import { clear } from '../counting-flow.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { longestTask, openPage } from './browser.ts'

const few = 20
const many = 500
/** A frame of 60 a second, and half of one more: what comes later is seen. */
const frameMs = 25
const keyMs = 50

/**
 * The canvas of flows as a person has it: frames while a card is dragged, the canvas moved and scaled, and a key in a step's
 * form until it is painted; of a flow of 500 steps beside one of 20. Server and browser share this machine's cores, and
 * nothing but the processor draws.
 */
export const measureBuilder = async (bench: Bench) => {
  try {
    const small = await measureFlow(bench, few)
    const large = await measureFlow(bench, many)
    for (const [name, limit] of limits) {
      const own = small[name]
      const found = large[name]
      if (!own || !found) continue
      atMost(limit, {
        name: `builder: ${name}, ${many} steps, p95`,
        value: percentile(found.times, 95),
        unit: 'ms',
        compared: {
          p50Ms: rounded(percentile(found.times, 50)),
          workMs: rounded(found.workMs),
          longestTaskMs: rounded(found.longestTaskMs),
          [`p95MsOf${few}`]: rounded(percentile(own.times, 95)),
          [`workMsOf${few}`]: rounded(own.workMs),
        },
      })
    }
  } finally {
    await clear(bench.db)
  }
}
const limits = [
  ['open until it can be written in', 1_500],
  ['frame while a card is dragged', frameMs],
  ['frame while all is dragged', frameMs],
  ['frame while the canvas is moved', frameMs],
  ['frame while it is scaled', frameMs],
  ['key to paint in a step', keyMs],
  ['key to paint in the search', keyMs],
  ['undo to paint', 100],
] as const
type Name = (typeof limits)[number][0]
/** Of the main thread, for each time. */
type Found = { times: number[]; workMs: number; longestTaskMs: number }

const measureFlow = async (bench: Bench, count: number) => {
  const flowId = await makeFlow(bench, count)
  const { browser, page } = await openPage(bench, '/chat-flow')
  const workedMs = await watchWork(page)
  const found: Partial<Record<Name, Found>> = {}
  const measure = async (name: Name, work: () => Promise<number[]>) => {
    await page.waitForTimeout(700) // what is left of the step before is saved and checked
    await longestTask(page)
    const before = await workedMs()
    const times = await work()
    found[name] = {
      times,
      workMs: ((await workedMs()) - before) / times.length,
      longestTaskMs: await longestTask(page),
    }
  }
  try {
    await page.locator(`a[href$="${flowId}"]`).first().waitFor()
    await measure('open until it can be written in', async () => {
      const startedAt = performance.now()
      await page.locator(`a[href$="${flowId}"]`).first().click()
      await page.locator('.react-flow__node').first().waitFor()
      await page.getByRole('button', { name: 'Publicar' }).waitFor()
      return [performance.now() - startedAt]
    })
    await page.waitForTimeout(1_500)
    await measure('frame while the canvas is moved', () =>
      framesOf(page, async () => {
        await page.mouse.move(720, 500)
        for (let n = 0; n < 90; n += 1) await page.mouse.wheel(n < 45 ? 40 : -40, n % 10 < 5 ? 25 : -25)
      }),
    )
    await measure('frame while it is scaled', () =>
      framesOf(page, async () => {
        await page.keyboard.down('Control')
        for (let n = 0; n < 60; n += 1) await page.mouse.wheel(0, n < 30 ? -40 : 40)
        await page.keyboard.up('Control')
      }),
    )
    // As far out as it goes, everything is dragged at once.
    await page.getByRole('button', { name: 'Ver tudo' }).click()
    await page.waitForTimeout(300)
    await page.getByRole('region', { name: /^Quadro do fluxo/ }).focus()
    await page.keyboard.press('Control+a')
    await measure('frame while all is dragged', () => drag(page))
    await measure('undo to paint', async () => {
      await page.getByRole('region', { name: /^Quadro do fluxo/ }).focus()
      return timesOf(page, async () => {
        for (let n = 0; n < 5; n += 1) {
          await page.keyboard.press('Control+z')
          await page.waitForTimeout(250)
          await page.keyboard.press('Control+y')
          await page.waitForTimeout(250)
        }
      })
    })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    // Near enough to read: the first question that can be seen.
    await page.keyboard.press('Control+f')
    const search = page.getByRole('textbox', { name: 'Buscar no fluxo' })
    await measure('key to paint in the search', () =>
      timesOf(page, () => search.pressSequentially('como podemos ajudar', { delay: 60 })),
    )
    await search.press('Enter')
    await search.press('Escape')
    await measure('frame while a card is dragged', () => drag(page))
    await page.locator('.react-flow__node.selected').click()
    const field = page.getByRole('textbox', { name: 'Texto', exact: true })
    await field.click()
    await measure('key to paint in a step', () =>
      timesOf(page, () => field.pressSequentially(' Escolha uma das opções e já falamos com você.', { delay: 60 })),
    )
  } finally {
    await browser.close()
  }
  return found
}

const drag = async (page: Page) => {
  const card = page.locator('.react-flow__node.selected').first()
  const box = await card.boundingBox()
  if (!box) throw new Error('Nothing to drag')
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(12, box.height / 2)]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const frames = await framesOf(page, async () => {
    for (let n = 1; n <= 120; n += 1) await page.mouse.move(x + Math.sin(n / 12) * 120, y + Math.sin(n / 6) * 90)
  })
  await page.mouse.up()
  return frames
}

/** The time from one frame to the next while this is done. */
const framesOf = async (page: Page, work: () => Promise<unknown>) => {
  await page.evaluate(() => {
    const gaps: number[] = []
    let before = performance.now()
    const frame = () => {
      const now = performance.now()
      gaps.push(now - before)
      before = now
      if (!Object.hasOwn(window, 'stopFrames')) requestAnimationFrame(frame)
    }
    Reflect.deleteProperty(window, 'stopFrames')
    Object.assign(window, { gaps })
    requestAnimationFrame(frame)
  })
  await work()
  return page.evaluate(() => {
    Object.assign(window, { stopFrames: true })
    return (window as unknown as { gaps: number[] }).gaps.slice(1)
  })
}

/** From a key to the end of the frame that shows what it did. */
const timesOf = async (page: Page, work: () => Promise<unknown>) => {
  await page.evaluate(() => {
    const times: number[] = []
    const handle = (event: KeyboardEvent) => {
      if (event.key === 'Control') return
      const painted = new MessageChannel()
      painted.port1.onmessage = () => times.push(performance.now() - event.timeStamp)
      requestAnimationFrame(() => painted.port2.postMessage(null))
    }
    document.addEventListener('keydown', handle, true)
    Object.assign(window, {
      takeTimes: () => {
        document.removeEventListener('keydown', handle, true)
        return times
      },
    })
  })
  await work()
  return page.evaluate(() => (window as unknown as { takeTimes: () => number[] }).takeTimes())
}

/** How much the page's own thread has worked, whatever else the machine does. */
const watchWork = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}

/** Menus, questions, conditions and messages in columns; each leads to the next, some ways back to the menu of the column before. */
const makeFlow = async (bench: Bench, count: number) => {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${bench.server.port}/api${path}`, {
      method,
      headers: { ...bearer(bench.admin), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return (await answer.json()) as T
  }
  const flow = await call<Flow>('POST', '/chat-flow', {
    name: `Medição de ${count} passos, ${new Date().toISOString()}`,
  })
  const { revision, nodes } = await call<FlowDraft>('GET', `/chat-flow/${flow.id}/draft`)
  const steps = Array.from({ length: count - 1 }, (_, n) => stepAt(n, count - 1))
  await call('POST', `/chat-flow/${flow.id}/draft`, {
    base: revision,
    upserts: [...nodes.map((node) => ({ ...node, next: { next: 'n0' } })), ...steps],
  })
  return flow.id
}
const rowsOfColumn = 8
const stepAt = (n: number, count: number): FlowNode => {
  const at = { x: 360 + Math.floor(n / rowsOfColumn) * 360, y: (n % rowsOfColumn) * 260 }
  const id = `n${n}`
  const to = n + 1 < count ? `n${n + 1}` : 'n0'
  const back = `n${Math.max(0, n - (n % 4) - rowsOfColumn)}`
  switch (n % 4) {
    case 0: {
      const blank = blankNode('menu', id, at)
      const options = ['Vendas', 'Suporte', 'Financeiro'].map((title, one) => ({
        ...{ id: `o${one}`, title, description: '', words: [] },
      }))
      const data = { ...blank.data, body: `Olá, {{name}}! Como podemos ajudar no assunto ${n}?`, options }
      return { ...blank, data, next: { o0: to, o1: back, o2: to } }
    }
    case 1: {
      const blank = blankNode('ask', id, at)
      const data = { ...blank.data, body: 'Qual é o número do pedido?', variable: `pedido_${n}` }
      return { ...blank, data, next: { next: to } }
    }
    case 2: {
      const blank = blankNode('condition', id, at)
      const tests = [{ on: 'variable' as const, name: `pedido_${n - 1}`, op: 'isSet' as const, value: '' }]
      return {
        ...blank,
        data: { branches: [{ id: 'b', label: 'Com pedido', match: 'all', tests }] },
        next: { b: to, else: back },
      }
    }
    default: {
      const body = 'Anotado, {{primeiro_nome}}. Um momento, por favor.'
      return {
        ...blankNode('message', id, at),
        data: { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] },
        next: { next: to },
      }
    }
  }
}
