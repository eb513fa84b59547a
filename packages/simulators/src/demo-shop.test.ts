import { expect, test } from 'vitest'
import { startShopPage } from './demo-shop.ts'

test('every page of the shop embeds the widget, with a strict policy when asked', async () => {
  const shop = await startShopPage({ balcaoUrl: 'http://127.0.0.1:3000', channelKey: 'wc_pub_1', csp: true })
  const { port } = new URL(shop.url)
  for (const path of ['/', '/produto/vaso-jatoba', '/trocas']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(await answer.text()).toContain(
      '<script async src="http://127.0.0.1:3000/widget.js" data-channel="wc_pub_1">',
    )
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self' http://127.0.0.1:3000;")
  }
  expect((await fetch(`http://127.0.0.1:${port}/produto/nada`)).status).toBe(404)
  await shop.close()
})

test('a known customer is announced before the widget loads', async () => {
  const shop = await startShopPage({
    balcaoUrl: 'http://127.0.0.1:3000',
    channelKey: 'k',
    identity: { id: '42', name: 'Ana', hmac: 'ab' },
  })
  const { port } = new URL(shop.url)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('/identity.js')
  expect(await (await fetch(`http://127.0.0.1:${port}/identity.js`)).text()).toContain(
    `Balcao('identify',{"id":"42","name":"Ana","hmac":"ab"})`,
  )
  await shop.close()
})
