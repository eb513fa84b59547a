/** Whether a provider on the internet can call this address: HTTPS, and a name or number that means something outside. */
export const isPublicAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') return false
  if (hostname.startsWith('[')) return !/^\[(::1?\]|f[cd]|fe[89ab])/.test(hostname)
  if (/^[\d.]+$/.test(hostname)) return !privateNumbers.test(hostname)
  return hostname.includes('.') && !/\.(local|localhost|internal|lan|home|test)$/.test(hostname)
}

const privateNumbers = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./

/** Whether an address leads to the very machine it is opened on: nobody else can follow it. */
export const isOwnMachine = (address: string): boolean =>
  URL.canParse(address) && /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)
