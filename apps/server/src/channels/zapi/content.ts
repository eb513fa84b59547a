/** What Z-API calls the parts of a message, and what WhatsApp does: one of them says what it is. */
type Part = Record<string, unknown>

const file =
  (name: string, address: string) =>
  (part: Part): object => ({
    [name]: { ...part, mimetype: part.mimeType, url: part[address] },
  })
const partsIn = (list: unknown): Part[] => (Array.isArray(list) ? list.map((one): Part => Object(one)) : [])
const optionsOf = ({ options }: Part): Part[] => partsIn(options)
const inWords = (text: string) => (): object => ({ conversation: text })

const parts: Record<string, (part: Part) => object> = {
  text: ({ message }) => ({ conversation: message }),
  image: file('imageMessage', 'imageUrl'),
  audio: file('audioMessage', 'audioUrl'),
  video: file('videoMessage', 'videoUrl'),
  document: file('documentMessage', 'documentUrl'),
  sticker: file('stickerMessage', 'stickerUrl'),
  location: ({ latitude, longitude, name, address }) => ({
    locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address },
  }),
  contact: ({ displayName, vCard }) => ({ contactMessage: { displayName, vcard: vCard } }),
  // Its manual shows one contact alone; several come as WhatsApp itself has them.
  contacts: ({ contacts }) => ({
    contactsArrayMessage: {
      contacts: partsIn(contacts).map(({ displayName, vCard, vcard }) => ({ displayName, vcard: vCard ?? vcard })),
    },
  }),
  reaction: ({ value, referencedMessage }) => ({
    reactionMessage: { key: { id: Object(referencedMessage).messageId }, text: value },
  }),
  buttonsResponseMessage: ({ buttonId, message }) => ({
    buttonsResponseMessage: { selectedButtonId: buttonId, selectedDisplayText: message },
  }),
  listResponseMessage: ({ title, message, selectedRowId }) => ({
    listResponseMessage: { title: title || message, singleSelectReply: { selectedRowId } },
  }),
  poll: (part) => ({
    pollCreationMessage: {
      name: part.question,
      options: optionsOf(part).map(({ name }) => ({ optionName: name })),
      selectableOptionsCount: part.pollMaxOptions,
    },
  }),
  pollVote: (part) => ({
    pollUpdateMessage: {
      pollCreationMessageKey: { id: part.pollMessageId },
      vote: { selectedOptions: optionsOf(part).map(({ name }) => name) },
    },
  }),
  hydratedTemplate: ({ title, message }) => ({ buttonsMessage: { title, contentText: message } }),
  buttonsMessage: ({ title, message }) => ({ buttonsMessage: { title, contentText: message } }),
  product: ({ title, description }) => ({ productMessage: { product: { title }, body: description } }),
  order: ({ itemCount, orderTitle, message }) => ({ orderMessage: { itemCount, orderTitle, message } }),
  pixKeyMessage: ({ key }) => ({ conversation: typeof key === 'string' && key ? `Chave Pix: ${key}` : 'Chave Pix' }),
  requestPayment: inWords('Pedido de pagamento. Ele só abre no celular do WhatsApp.'),
  sendPayment: inWords('Pagamento feito pelo WhatsApp. Ele só abre no celular.'),
  reviewAndPay: inWords('Pedido com pagamento. Ele só abre no celular do WhatsApp.'),
  reviewOrder: inWords('Atualização de um pedido. Ela só abre no celular do WhatsApp.'),
  pinMessage: () => ({ pinInChatMessage: {} }),
}

/** As WhatsApp's own schema has it; undefined when no part is one we know. */
export const messageOf = (body: Part): object | undefined => {
  const found = Object.entries(parts).find(([name]) => typeof body[name] === 'object' && body[name] !== null)
  const part = found && body[found[0]]
  return found?.[1](Array.isArray(part) ? { [found[0]]: part } : Object(part))
}
