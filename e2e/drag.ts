import type { Locator } from 'playwright-core'

/** By mouse, as a hand does it: pressed, moved on the way, let go once the place shows that it takes it. */
export const drag = async (from: Locator, to: Locator) => {
  const page = from.page()
  const [start, end] = [await middleOf(from), await middleOf(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 12, start.y + 12, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 12 })
  await to.and(page.locator('[data-over=true]')).waitFor()
  await page.mouse.up()
}

const middleOf = async (what: Locator) => {
  const box = await what.boundingBox()
  if (!box) throw new Error('Nothing to drag there')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 120) }
}
