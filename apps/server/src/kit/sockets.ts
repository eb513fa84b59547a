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

let openSockets = () => 0
/** `realtime/` tells how many windows of staff and of visitors this process has open. */
export const countSocketsBy = (count: () => number) => {
  openSockets = count
}
export const socketCount = () => openSockets()
