import type { ChannelContext } from '../adapter.ts'
import { createGraph } from '../meta/graph.ts'
import { refusal } from './errors.ts'

export type Context = ChannelContext<'waba'>
export const { graph, download } = createGraph(refusal)
