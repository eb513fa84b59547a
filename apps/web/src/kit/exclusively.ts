/** One page of this browser at a time does this work; the others wait for their turn. Without HTTPS there are no turns. */
export const exclusively = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? (navigator.locks.request(`balcao-${name}`, work) as Promise<T>) : work() // request() resolves to what the work does

/** What one page of this browser does is done by no other meanwhile: they leave it. Without HTTPS each does it. */
export const alone = async (name: string, work: () => Promise<void>): Promise<void> => {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`balcao-${name}`, { ifAvailable: true }, (lock) => (lock ? work() : undefined))
}
