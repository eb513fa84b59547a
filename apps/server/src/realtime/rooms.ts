/** The room of one person: everything they may know arrives here. */
export const userRoom = (tenantId: number, userId: string) => `u:${tenantId}:${userId}`

/** The room of those who look at a conversation; joined only after the read policy agreed. */
export const viewRoom = (tenantId: number, ticketId: string) => `v:${tenantId}:${ticketId}`

type Member<Data> = { id: string; data: Data }
type House<Data> = {
  in: (room: string) => { fetchSockets: () => Promise<Member<Data>[]> }
  adapter: { rooms: ReadonlyMap<string, ReadonlySet<string>> }
  sockets: ReadonlyMap<string, Member<Data>>
}
/** The sockets in a room, those of other processes too; of this one alone while Redis does not answer. */
export const socketsIn = <Data>(house: House<Data>, room: string): Promise<Member<Data>[]> =>
  house
    .in(room)
    .fetchSockets()
    .catch(() => [...(house.adapter.rooms.get(room) ?? [])].flatMap((id) => house.sockets.get(id) ?? []))
