import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import type { ToldStatus } from '../../conversations/messages/statuses.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Afterwords } from '../../service/closing/afterwords.ts'
import type { Known } from './identify.ts'

/** A message that came in, and the journal row that ends with it. */
export type Arrival = { event: InboundMessage; journalId: string | null }
/** With what we knew of it; of a group, whom it calls and whether it is meant for us; of ours, what was told of it before. */
export type Received = {
  arrival: Arrival
  known: Known
  called?: MessagePayload['called']
  isForUs?: boolean
  told?: ToldStatus[]
}

/** What came in together and is new, as it is about to be stored. */
export type Batch = {
  connection: OpenConnection
  directory: Directory
  received: Received[]
  /** The same, each as the message it becomes. */
  arrived: (NewMessage & { event: InboundMessage })[]
  /** Their tickets with these messages in them. */
  tickets: ReadonlyMap<string, TicketState>
  /** What belongs to conversations that are over. */
  afterwords: Afterwords[]
  /** Tickets that began with these words of the customer. */
  opened: readonly string[]
  now: Date
}
