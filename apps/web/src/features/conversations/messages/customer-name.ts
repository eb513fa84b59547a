import { createContext } from 'react'

/** With whom the conversation is: whoever wrote a message in it without a name of their own. */
export const CustomerName = createContext('Cliente')
