/** One page of this browser at a time does this work; the others wait for their turn. Without HTTPS there are no turns. */
export const exclusively = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? (navigator.locks.request(`balcao-${name}`, work) as Promise<T>) : work() // request() resolves to what the work does
