import type { NodeData, NodeKind } from '@balcao/contract/automation/flows/graph.ts'
import type { ReactNode } from 'react'

export type FormProps<K extends NodeKind> = {
  data: NodeData<K>
  onChange: (data: Partial<NodeData<K>>) => void
  /** What the checks say of a field, by its path in the data. */
  errorOf: (path: string) => ReactNode
  /** Of which flow and step. */
  flowId: string
  nodeId: string
}
