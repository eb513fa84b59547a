import type { FlowViewer } from '@balcao/contract/automation/flows/flows.ts'
import { log } from '../kit/log.ts'
import { socketsIn } from '../kit/sockets.ts'
import { flowRoom } from './rooms.ts'
import type { StaffNamespace, StaffSocket } from './staff-data.ts'

type Look = { flowId: string | null; nodeId: string | null }

/**
 * Who has a flow open, and on which step they stand: as for conversations, the sockets are the record. One window has one
 * flow open; without the right to write flows it has none.
 */
export const lookAtFlow = (staff: StaffNamespace, socket: StaffSocket, { flowId, nodeId }: Look) => {
  const { actor, look: before } = socket.data
  const look = flowId && actor.permissions.has('flows.write') ? { flowId, nodeId } : null
  socket.data.look = look
  if (before && before.flowId !== look?.flowId) {
    void socket.leave(flowRoom(actor.tenantId, before.flowId))
    tell(staff, actor.tenantId, before.flowId)
  }
  if (!look) return
  void socket.join(flowRoom(actor.tenantId, look.flowId))
  tell(staff, actor.tenantId, look.flowId)
}

const tell = (staff: StaffNamespace, tenantId: number, flowId: string) => {
  present(staff, tenantId, flowId).catch((error) => log.warn({ err: error, tenantId }, 'flow presence not told'))
}

const present = async (staff: StaffNamespace, tenantId: number, flowId: string) => {
  const room = flowRoom(tenantId, flowId)
  const viewers = new Map<string, FlowViewer>()
  for (const { data } of await socketsIn(staff, room)) {
    if (data.look?.flowId !== flowId) continue
    const { userId, name } = data.actor
    // Of several windows, the one that stands on a step says where they are.
    viewers.set(userId, { userId, name, nodeId: data.look.nodeId ?? viewers.get(userId)?.nodeId ?? null })
  }
  if (viewers.size) staff.to(room).emit('chatFlow.viewers', { id: flowId, viewers: [...viewers.values()] })
}
