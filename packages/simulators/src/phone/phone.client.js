const $ = (id) => document.getElementById(id)

const svg = (path, className = '') =>
  make('svg', { viewBox: className.startsWith('tick') ? '0 0 17 12' : '0 0 24 24', class: className }, [
    make('path', { d: path }),
  ])
const icons = {
  reply: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  smile: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 14.5c1.7 2 5.3 2 7 0M9 9.5v.01M15 9.5v.01',
  pin: 'M12 21s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12M12 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  one: 'M4 6.5 7.5 10 13.5 2.5',
  two: 'M1 6.5 4.5 10 10.5 2.5M7 9l1 1 7-7.5',
}

let state = { channels: [], webchatPages: [] }
let chosen = {
  channel: location.hash.slice(1).split('/')[0],
  customer: decodeURIComponent(location.hash.split('/')[1] ?? ''),
}
let quoting

// ---- what is on screen

const channelNow = () => state.channels.find(({ key }) => key === chosen.channel) ?? state.channels[0]
const customerNow = () => {
  const customers = channelNow()?.customers ?? []
  return customers.find(({ id }) => id === chosen.customer) ?? customers[0]
}

const choose = (channel, customer = '') => {
  chosen = { channel, customer }
  history.replaceState(null, '', `#${channel}/${encodeURIComponent(customer)}`)
  stopQuoting()
  $('people').classList.remove('open')
  draw()
  $('lines').scrollTop = $('lines').scrollHeight
}

const draw = () => {
  const channel = channelNow()
  if (!channel) return
  const customer = customerNow()
  document.body.dataset.channel = channel.channel
  drawTabs(channel)
  drawCustomers(channel, customer)
  drawPanel(channel, customer)
  $('business-name').textContent = channel.businessName
  $('business-avatar').textContent = initials(channel.businessName)
  $('business-state').textContent = customer?.isBusinessTyping ? 'digitando…' : channel.businessHandle
  $('blank').hidden = Boolean(customer)
  if (customer) drawLines(channel, customer)
}

const drawTabs = (now) => {
  $('tabs').replaceChildren(
    ...state.channels.map((channel) =>
      make('button', { type: 'button', 'aria-current': String(channel === now), onclick: () => choose(channel.key) }, [
        labelOf(channel),
      ]),
    ),
  )
  $('links').replaceChildren(
    ...state.webchatPages.map(({ label, url }) =>
      make('a', { href: url, target: '_blank', rel: 'noopener' }, [`${label} ↗`]),
    ),
  )
}

const channelNames = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  instagram: 'Instagram',
  messenger: 'Messenger',
  sms: 'SMS',
  hub: 'NotificaMe',
  email: 'E-mail',
}
const labelOf = (channel) => {
  const name = channelNames[channel.channel]
  const isOnly = state.channels.filter((other) => other.channel === channel.channel).length === 1
  return isOnly ? name : `${name} · ${channel.businessName}`
}

const drawCustomers = (channel, now) => {
  const rows = channel.customers.map((customer) => {
    const unread = unreadOf(customer)
    const last = customer.lines.at(-1)
    return make('li', {}, [
      make(
        'button',
        {
          type: 'button',
          class: 'customer',
          'aria-current': String(customer === now),
          onclick: () => choose(channel.key, customer.id),
        },
        [
          make('span', { class: 'avatar', 'aria-hidden': 'true' }, [initials(customer.name)]),
          make('strong', {}, [customer.name]),
          unread > 0 ? make('span', { class: 'count', 'aria-label': `${unread} não lidas` }, [String(unread)]) : '',
          make('small', {}, [customer.isBusinessTyping ? 'digitando…' : last ? summary(last) : customer.handle]),
        ],
      ),
    ])
  })
  $('customers').replaceChildren(
    ...(rows.length > 0 ? rows : [make('li', { class: 'empty' }, ['Nenhum cliente ainda.'])]),
  )
}

const unreadOf = (customer) =>
  customer.lines.filter((line) => line.from === 'business' && !line.isRead && !line.isDeleted).length

const drawPanel = (channel, customer) => {
  const { behaviour } = channel
  if (document.activeElement !== $('latency')) $('latency').value = behaviour.latencyMs
  $('latency-text').textContent =
    behaviour.latencyMs === 0 ? 'desligado' : `${behaviour.latencyMs.toLocaleString('pt-BR')} ms`
  for (const input of document.querySelectorAll('[data-behaviour]')) input.checked = behaviour[input.dataset.behaviour]
  const ids = channel.faults.map(({ id }) => id).join()
  if ($('fault').dataset.ids !== ids) {
    $('fault').dataset.ids = ids
    $('fault').replaceChildren(...channel.faults.map(({ id, label }) => make('option', { value: id }, [label])))
  }
  $('scan-box').hidden = !channel.isCodeWaiting
  $('armed').hidden = channel.pendingFaults === 0
  $('armed-text').textContent =
    channel.pendingFaults === 1
      ? 'O próximo envio vai falhar.'
      : `Os próximos ${channel.pendingFaults} envios vão falhar.`
  $('auto-read').checked = customer?.autoRead ?? false
  $('auto-read').disabled = !customer
  $('calls').replaceChildren(
    ...channel.calls.map(({ at, isWebhook, what, status, attempts }) =>
      make('li', { title: isWebhook ? 'Do provedor para o Balcão' : 'Do Balcão para o provedor' }, [
        make('time', {}, [new Date(at).toLocaleTimeString('pt-BR')]),
        make('span', {}, [`${isWebhook ? '→' : '←'} ${what}${attempts > 1 ? ` (${attempts} tentativas)` : ''}`]),
        make('b', { class: status >= 200 && status < 300 ? '' : 'bad' }, [status ? String(status) : '—']),
      ]),
    ),
  )
}

// ---- the conversation: a line is drawn again only when it changed, so that audio keeps playing

let drawn = { of: '', lines: new Map() }

const drawLines = (channel, customer) => {
  const box = $('lines')
  const of = `${channel.key}/${customer.id}`
  const isNew = drawn.of !== of
  const isAtEnd = isNew || box.scrollHeight - box.scrollTop - box.clientHeight < 80
  if (isNew) drawn = { of, lines: new Map() }
  const kept = new Map()
  const nodes = []
  let before
  for (const line of customer.lines) {
    const day = new Date(line.at).toLocaleDateString('pt-BR', { day: 'numeric', month: 'long' })
    if (day !== before?.day) nodes.push(keep(kept, `day ${day}`, day, () => make('div', { class: 'day' }, [day])))
    const isTurn = before?.from !== line.from
    const key = JSON.stringify([line, isTurn])
    nodes.push(keep(kept, line.id, key, () => drawLine(channel, customer, line, isTurn)))
    before = { day, from: line.from }
  }
  drawn.lines = kept
  if (nodes.length !== box.childNodes.length || nodes.some((node, index) => node !== box.childNodes[index]))
    box.replaceChildren(...nodes)
  if (isAtEnd) box.scrollTop = box.scrollHeight
  const unread = unreadOf(customer)
  $('unread').hidden = unread === 0
  $('unread-text').textContent = unread === 1 ? '1 mensagem não lida' : `${unread} mensagens não lidas`
}

const keep = (kept, id, key, build) => {
  const old = drawn.lines.get(id)
  const entry = old?.key === key ? old : { key, node: build() }
  kept.set(id, entry)
  return entry.node
}

const drawLine = (channel, customer, line, isTurn) => {
  const isMine = line.from === 'customer'
  const reactions = [line.reactions.customer, line.reactions.business].filter(Boolean).join('')
  const classes = ['line', isMine && 'mine', isTurn && 'turn', reactions && 'has-reaction'].filter(Boolean).join(' ')
  const meta = make('div', { class: 'meta' }, [
    line.isEdited ? 'editada' : '',
    new Date(line.at).toLocaleTimeString('pt-BR', { hour: '2-digit', minute: '2-digit' }),
    isMine ? tick(line.state) : '',
  ])
  const inside = line.isDeleted
    ? [make('span', { class: 'gone' }, ['Mensagem apagada'])]
    : content(channel, customer, line)
  return make('div', { class: classes }, [
    make('div', { class: 'bubble' }, [...inside, meta]),
    ...(line.buttons && !line.isDeleted ? [buttons(line)] : []),
    ...(line.poll && !line.isDeleted ? [poll(customer, line)] : []),
    reactions ? make('span', { class: 'reactions' }, [reactions]) : '',
    line.isDeleted ? '' : tools(channel, line),
  ])
}

const content = (channel, customer, line) => {
  const parts = []
  const quoted = customer.lines.find(({ id }) => id === line.replyTo)
  if (line.replyTo) parts.push(make('div', { class: 'quote' }, [quoted ? summary(quoted) : 'Mensagem antiga']))
  if (line.header) parts.push(make('h3', {}, [line.header]))
  if (line.media) parts.push(media(line))
  if (line.place) parts.push(place(line.place))
  for (const card of line.cards ?? []) {
    parts.push(
      make('div', { class: 'card' }, [
        make('span', { class: 'avatar' }, [initials(card.name)]),
        make('span', {}, [make('b', {}, [card.name]), make('small', {}, [card.phone])]),
      ]),
    )
  }
  if (line.text)
    parts.push(
      make('div', { class: 'words' }, channel.channel === 'telegram' ? withEntities(line) : withMarks(line.text)),
    )
  if (line.footer) parts.push(make('footer', {}, [line.footer]))
  if (parts.length === 0) parts.push(make('span', { class: 'gone' }, [`(${line.type})`]))
  return parts
}

const media = ({ type, media: { url, mimeType, filename, size }, text }) => {
  if (type === 'sticker') return make('img', { class: 'sticker', src: url, alt: 'Figurinha' })
  if (mimeType.startsWith('image/') && type !== 'document') {
    return make('a', { href: url, target: '_blank', rel: 'noopener' }, [
      make('img', { class: 'picture', src: url, alt: text || 'Imagem' }),
    ])
  }
  if (mimeType.startsWith('audio/') && type !== 'document')
    return make('audio', { src: url, controls: '', preload: 'metadata' })
  if (mimeType.startsWith('video/') && type !== 'document')
    return make('video', { class: 'picture', src: url, controls: '', preload: 'metadata' })
  const name = filename ?? 'arquivo'
  return make('a', { class: 'file', href: url, target: '_blank', rel: 'noopener' }, [
    make('span', { class: 'badge' }, [name.includes('.') ? name.split('.').at(-1).slice(0, 4).toUpperCase() : 'DOC']),
    make('span', {}, [make('b', {}, [name]), make('small', {}, [sizeText(size)])]),
  ])
}

const place = ({ latitude, longitude, name, address }) =>
  make('div', { class: 'place' }, [
    make('i', {}, [svg(icons.pin)]),
    make('span', {}, [
      make('b', {}, [name ?? 'Localização']),
      make('small', {}, [address ?? `${latitude.toLocaleString('pt-BR')}; ${longitude.toLocaleString('pt-BR')}`]),
    ]),
  ])

const buttons = (line) =>
  make(
    'div',
    { class: 'buttons' },
    line.buttons.map(({ id, title, url, description }) =>
      url
        ? make('a', { href: url, target: '_blank', rel: 'noopener' }, [`${title} ↗`])
        : make('button', { type: 'button', onclick: () => act({ do: 'press', line: line.id, button: id }) }, [
            title,
            description ? make('small', {}, [description]) : '',
          ]),
    ),
  )

/** Each option with its votes; one's own are pressed, and a press more takes them back. */
const poll = (customer, { id, text, poll: { options, isMultiple, votes } }) => {
  const mine = votes[customer.id] ?? []
  const all = Object.values(votes)
  const next = (place) => {
    if (mine.includes(place)) return mine.filter((other) => other !== place)
    return isMultiple ? [...mine, place] : [place]
  }
  return make(
    'div',
    { class: 'poll', role: 'group', 'aria-label': `Enquete: ${text}` },
    options.map((title, place) => {
      const count = all.filter((chosen) => chosen.includes(place)).length
      return make(
        'button',
        {
          type: 'button',
          'aria-pressed': String(mine.includes(place)),
          onclick: () => act({ do: 'vote', line: id, options: next(place) }),
        },
        [make('span', {}, [title]), make('small', {}, [String(count)])],
      )
    }),
  )
}

const tools = (channel, line) => {
  const react = (emoji) =>
    make(
      'button',
      {
        type: 'button',
        class: 'more',
        'aria-label': `Reagir com ${emoji}`,
        onclick: () => act({ do: 'react', line: line.id, emoji: line.reactions.customer === emoji ? '' : emoji }),
      },
      [emoji],
    )
  const hearts = channel.channel === 'telegram' ? '❤' : '❤️'
  return make('div', { class: 'tools' }, [
    make('button', { type: 'button', 'aria-label': 'Responder', onclick: () => startQuoting(line) }, [
      svg(icons.reply),
    ]),
    make('button', { type: 'button', 'aria-label': 'Reagir' }, [svg(icons.smile)]),
    ...['👍', hearts, '🎉', '🙏'].map(react),
    ...channel.acts
      .filter(({ of }) => of === line.from)
      .map((one) => make('button', { type: 'button', class: 'act', onclick: () => play(one, line.id) }, [one.label])),
  ])
}

const tick = (lineState) => {
  const label = { sent: 'Enviada', delivered: 'Entregue', read: 'Lida', played: 'Ouvida' }[lineState] ?? 'Enviando'
  const isRead = lineState === 'read' || lineState === 'played'
  const node = svg(lineState === 'delivered' || isRead ? icons.two : icons.one, `tick ${isRead ? 'read' : ''}`)
  node.setAttribute('role', 'img')
  node.setAttribute('aria-label', label)
  return node
}

const summary = (line) => {
  if (line.isDeleted) return 'Mensagem apagada'
  const names = {
    image: 'Foto',
    video: 'Vídeo',
    video_note: 'Vídeo',
    audio: 'Áudio',
    voice: 'Áudio',
    document: 'Documento',
    sticker: 'Figurinha',
    location: 'Localização',
    contacts: 'Contato',
    contact: 'Contato',
    poll: 'Enquete',
  }
  return (
    line.text?.replace(/(?<!\w)[*_~`]+|[*_~`]+(?!\w)/g, '') ||
    line.media?.filename ||
    line.header ||
    names[line.type] ||
    line.type
  )
}

// ---- text

/** WhatsApp's own marks: *negrito*, _itálico_, ~riscado~, `código`. */
const withMarks = (text) => {
  const nodes = []
  const pattern =
    /```([\s\S]+?)```|`([^`\n]+)`|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?!\w)|(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?!\w)|(https?:\/\/[^\s<>"]+)/g
  let from = 0
  for (const match of text.matchAll(pattern)) {
    nodes.push(text.slice(from, match.index))
    const [whole, block, code, bold, italic, struck, url] = match
    if (block || code) nodes.push(make('code', {}, [block ?? code]))
    if (bold) nodes.push(make('b', {}, withMarks(bold)))
    if (italic) nodes.push(make('i', {}, withMarks(italic)))
    if (struck) nodes.push(make('s', {}, withMarks(struck)))
    if (url) nodes.push(link(url, url))
    from = match.index + whole.length
  }
  return [...nodes, text.slice(from)]
}

const entityTags = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
}

/** Telegram's entities: the text is cut at their borders and each piece wrapped in those that cover it. */
const withEntities = ({ text, entities = [] }) => {
  if (entities.length === 0) return withLinks(text)
  const cuts = [
    ...new Set([0, text.length, ...entities.flatMap(({ offset, length }) => [offset, offset + length])]),
  ].sort((a, b) => a - b)
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1]
    return entities
      .filter(({ offset, length }) => offset <= start && offset + length >= end)
      .reduce(
        (inner, entity) => {
          if (entity.type === 'text_link') return link(entity.url, inner)
          if (entity.type === 'spoiler') return make('span', { class: 'spoiler' }, [inner])
          return entityTags[entity.type] ? make(entityTags[entity.type], {}, [inner]) : inner
        },
        text.slice(start, end),
      )
  })
}

const withLinks = (text) =>
  text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => (index % 2 ? link(part, part) : part))
const link = (url, inner) =>
  make('a', { href: /^(https?|mailto|tel):/i.test(url) ? url : '#', target: '_blank', rel: 'noopener' }, [inner])

const initials = (name) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0].toUpperCase())
    .join('')

const sizeText = (bytes) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} kB`
    : `${(bytes / 1024 / 1024).toFixed(1).replace('.', ',')} MB`

function make(tag, attributes = {}, children = []) {
  const isSvg = tag === 'svg' || tag === 'path'
  const node = isSvg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node[name] = value
    else node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}

// ---- doing

const request = async (path, init) => {
  try {
    const answer = await fetch(`/api/${path}`, init)
    if (answer.ok) return await answer.json()
    throw new Error((await answer.json()).message)
  } catch (error) {
    complain(`Não deu certo. ${error.message}`)
    return undefined
  }
}
const post = (path, body) =>
  request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const customerPath = (rest) => `${channelNow().key}/${encodeURIComponent(customerNow().id)}/${rest}`
const act = (wanted) => post(customerPath('actions'), wanted)

/** A toast would hide behind an open dialog. */
const complain = (text) => {
  if (!$('dialog').open) return toast(text)
  $('dialog-error').textContent = text
  $('dialog-error').hidden = false
}

let toastTimer
const toast = (text) => {
  $('toast').textContent = text
  $('toast').hidden = false
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => {
    $('toast').hidden = true
  }, 4000)
}

const startQuoting = (line) => {
  quoting = line.id
  $('quoting-text').textContent = summary(line)
  $('quoting').hidden = false
  $('text').focus()
}
const stopQuoting = () => {
  quoting = undefined
  $('quoting').hidden = true
}

const grow = () => {
  $('text').style.height = 'auto'
  $('text').style.height = `${$('text').scrollHeight + 2}px`
}

const sendFile = (kind, accept) => {
  const input = $('file')
  input.accept = accept
  input.value = ''
  input.onchange = async () => {
    const [file] = input.files
    if (!file) return
    const query = new URLSearchParams({ kind, filename: file.name })
    const type = file.type || 'application/octet-stream'
    await request(`${customerPath('media')}?${query}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: file,
    })
  }
  input.click()
}

/** One small form for everything that asks something. */
const ask = ({ title, ok, fields, onSubmit }) => {
  $('dialog-title').textContent = title
  $('dialog-ok').textContent = ok
  $('dialog-error').hidden = true
  $('dialog-fields').replaceChildren(
    ...fields.map(({ name, label, ...attributes }) =>
      make('label', { class: 'field' }, [label, fieldOf(name, attributes)]),
    ),
  )
  $('dialog-form').onsubmit = async (event) => {
    event.preventDefault()
    if (await onSubmit(Object.fromEntries(new FormData($('dialog-form'))))) $('dialog').close()
  }
  $('dialog').showModal()
}

const fieldOf = (name, { options, isLong, value, ...attributes }) => {
  if (isLong) return make('textarea', { name, rows: '4', ...attributes }, [value ?? ''])
  if (!options) return make('input', { name, autocomplete: 'off', ...(value && { value }), ...attributes })
  const choices = Object.entries(options).map(([key, label]) => make('option', { value: key }, [label]))
  return make('select', { name }, choices)
}

/** What only this channel has; some of it asks for something first. */
const play = ({ id, label, fields = [] }, line = '') => {
  const run = (values) => post(customerPath(`acts/${id}`), { ...values, line })
  if (fields.length === 0) return run({})
  ask({
    title: label,
    ok: 'Enviar',
    fields: fields.map(({ isRequired, ...field }) => ({ ...field, ...(isRequired && { required: '' }) })),
    onSubmit: run,
  })
}

const askCustomer = () => {
  const channel = channelNow()
  const isTelegram = channel.channel === 'telegram'
  const isMail = channel.channel === 'email'
  ask({
    title: 'Novo cliente',
    ok: 'Criar',
    fields: [
      { name: 'name', label: 'Nome', required: '', maxlength: '80' },
      isTelegram
        ? { name: 'handle', label: 'Usuário (opcional)', placeholder: '@ana' }
        : isMail
          ? { name: 'handle', label: 'E-mail (opcional)', placeholder: 'ana@exemplo.com', type: 'email' }
          : { name: 'handle', label: 'Celular (opcional)', placeholder: '11 98888-7777', inputmode: 'tel' },
    ],
    onSubmit: async (body) => {
      const made = await post(`${channel.key}/customers`, body)
      if (made) choose(channel.key, made.id)
      return Boolean(made)
    },
  })
}

const askPlace = () =>
  ask({
    title: 'Enviar localização',
    ok: 'Enviar',
    fields: [
      { name: 'name', label: 'Nome do lugar', value: 'Praça da Sé' },
      { name: 'address', label: 'Endereço', value: 'Sé, São Paulo - SP' },
      { name: 'latitude', label: 'Latitude', type: 'number', step: 'any', required: '', value: '-23.550391' },
      { name: 'longitude', label: 'Longitude', type: 'number', step: 'any', required: '', value: '-46.633308' },
    ],
    onSubmit: ({ name, address, latitude, longitude }) =>
      act({
        do: 'place',
        place: {
          name: name || undefined,
          address: address || undefined,
          latitude: Number(latitude),
          longitude: Number(longitude),
        },
      }),
  })

const askCard = () =>
  ask({
    title: 'Enviar contato',
    ok: 'Enviar',
    fields: [
      { name: 'name', label: 'Nome', required: '' },
      { name: 'phone', label: 'Telefone', required: '', inputmode: 'tel', placeholder: '+55 11 97777-6666' },
    ],
    onSubmit: (card) => act({ do: 'card', card }),
  })

const askPoll = () =>
  ask({
    title: 'Enviar enquete',
    ok: 'Enviar',
    fields: [
      { name: 'question', label: 'Pergunta', required: '', maxlength: '255' },
      { name: 'options', label: 'Opções, separadas por ponto e vírgula', required: '', placeholder: 'Sim; Não' },
      { name: 'isMultiple', label: 'Permitir várias respostas', type: 'checkbox' },
    ],
    onSubmit: ({ question, options, isMultiple }) => {
      const titles = options.split(';').map((one) => one.trim())
      return act({
        do: 'poll',
        poll: { question, options: titles.filter(Boolean), isMultiple: Boolean(isMultiple) },
      })
    },
  })

const attachments = [
  ['Foto', () => sendFile('image', 'image/*')],
  ['Foto de exemplo', () => act({ do: 'sample', kind: 'image' })],
  ['Vídeo', () => sendFile('video', 'video/*')],
  ['Figurinha de exemplo', () => act({ do: 'sample', kind: 'sticker' })],
  ['Áudio', () => sendFile('audio', 'audio/*')],
  ['Áudio de exemplo', () => act({ do: 'sample', kind: 'voice' })],
  ['Documento', () => sendFile('document', '')],
  ['PDF de exemplo', () => act({ do: 'sample', kind: 'document' })],
  ['Localização', askPlace],
  ['Contato', askCard],
  ['Enquete', askPoll],
]
const showMenu = (isOpen) => {
  $('attach-menu').hidden = !isOpen
  $('attach').setAttribute('aria-expanded', String(isOpen))
}
const drawMenu = () =>
  $('attach-menu').replaceChildren(
    ...attachments.map(([label, work]) =>
      make('button', { type: 'button', class: label.includes('exemplo') ? 'hint' : '', onclick: work }, [label]),
    ),
    ...channelNow()
      .acts.filter(({ of }) => !of)
      .map((one) => make('button', { type: 'button', class: 'act', onclick: () => play(one) }, [one.label])),
  )

$('attach-menu').addEventListener('click', () => showMenu(false))
$('attach').onclick = () => {
  drawMenu()
  showMenu($('attach-menu').hidden)
}
$('composer').onsubmit = async (event) => {
  event.preventDefault()
  const text = $('text').value.trim()
  if (!text) return
  const replyTo = quoting
  $('text').value = ''
  grow()
  stopQuoting()
  const sent = await act({ do: 'text', text, replyTo })
  if (!sent && !$('text').value) $('text').value = text
}
$('text').oninput = grow
$('text').onkeydown = (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  $('composer').requestSubmit()
}
$('stop-quoting').onclick = stopQuoting
$('mark-read').onclick = () => act({ do: 'read' })
$('new-customer').onclick = askCustomer
$('blank-new').onclick = askCustomer
$('dialog-cancel').onclick = () => $('dialog').close()
$('open-people').onclick = () => toggleSheet('people')
$('open-panel').onclick = () => toggleSheet('panel')
$('latency').oninput = () => {
  const ms = Number($('latency').value)
  $('latency-text').textContent = ms === 0 ? 'desligado' : `${ms.toLocaleString('pt-BR')} ms`
}
$('latency').onchange = () => post(`${channelNow().key}/behaviour`, { latencyMs: Number($('latency').value) })
$('fault-form').onsubmit = (event) => {
  event.preventDefault()
  post(`${channelNow().key}/faults`, { id: $('fault').value, times: Number($('fault-times').value) })
}
$('scan').onclick = () => post(`${channelNow().key}/scan`, {})
$('disarm').onclick = () => request(`${channelNow().key}/faults`, { method: 'DELETE' })
$('auto-read').onchange = () => act({ do: 'autoRead', isOn: $('auto-read').checked })
for (const input of document.querySelectorAll('[data-behaviour]')) {
  input.onchange = () => post(`${channelNow().key}/behaviour`, { [input.dataset.behaviour]: input.checked })
}

const toggleSheet = (id) => {
  for (const sheet of ['people', 'panel'])
    $(sheet).classList.toggle('open', sheet === id && !$(sheet).classList.contains('open'))
}
document.addEventListener('click', ({ target }) => {
  if (!target.closest('#attach, #attach-menu')) showMenu(false)
  if (!target.closest('.people, .panel, .only-small, dialog')) toggleSheet('')
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  showMenu(false)
  toggleSheet('')
})

const showTime = () => {
  $('time').textContent = new Date().toLocaleTimeString('pt-BR', { hour: '2-digit', minute: '2-digit' })
}
showTime()
setInterval(showTime, 10_000)

const events = new EventSource('/events')
events.onmessage = ({ data }) => {
  state = JSON.parse(data)
  draw()
}
