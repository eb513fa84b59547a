type Handler = (tenantId: number, ticketId: string, isTyping: boolean) => void
let handler: Handler = () => {}
/** `realtime/` registers how it reaches whoever looks at the conversation. */
export const onContactTyping = (given: Handler) => {
  handler = given
}

/** The customer began, goes on or stopped writing (web chat). */
export const tellContactTyping: Handler = (...told) => handler(...told)
