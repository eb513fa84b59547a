import type { Frame, Page } from 'playwright-core'
import { until } from './kit.ts'

/** Opens the chat as the page's own button would. */
export const callOpen = async (page: Page) => {
  await page.waitForFunction(() => Reflect.get(window, 'Balcao')?.isLoaded)
  await page.evaluate("Balcao('open')")
}

/** Opens the chat; it lives in a closed shadow root, so its frame is found by address. */
export const openChat = async (page: Page): Promise<Frame> => {
  await callOpen(page)
  return until('the frame of the chat', () => page.frames().find((frame) => frame.url().includes('/webchat/frame')))
}

/** What a visitor writes, once the server has it. */
export const write = async (chat: Frame, text: string) => {
  await chat.getByRole('textbox', { name: 'Mensagem' }).fill(text)
  await chat.getByRole('button', { name: 'Enviar mensagem' }).click()
  await chat.getByRole('button', { name: `Responder: ${text}` }).waitFor() // offered once the server has it
}
