const brazilian = [
  'America/Sao_Paulo',
  'America/Manaus',
  'America/Cuiaba',
  'America/Fortaleza',
  'America/Recife',
  'America/Bahia',
  'America/Belem',
  'America/Campo_Grande',
  'America/Porto_Velho',
  'America/Rio_Branco',
  'America/Noronha',
]

/** Brazil's zones first, then every other the browser knows; a zone already chosen is never missing. */
export const timezoneOptions = (chosen?: string) => {
  const all = Intl.supportedValuesOf('timeZone')
  const others = all.filter((zone) => !brazilian.includes(zone))
  const known = chosen && !brazilian.includes(chosen) && !others.includes(chosen) ? [chosen] : []
  return [
    {
      group: 'Brasil',
      items: brazilian.map((zone) => ({ value: zone, label: `${cityOf(zone)} (${offsetOf(zone)})` })),
    },
    { group: 'Outros', items: [...known, ...others].map((zone) => ({ value: zone, label: placeOf(zone) })) },
  ]
}

/** Zones are named in ASCII; Brazil's cities are written as they are. */
const accented: Record<string, string> = {
  Sao_Paulo: 'São Paulo',
  Cuiaba: 'Cuiabá',
  Belem: 'Belém',
  Araguaina: 'Araguaína',
  Maceio: 'Maceió',
  Santarem: 'Santarém',
  Noronha: 'Fernando de Noronha',
}

/** "São Paulo" of `America/Sao_Paulo`. */
export const cityOf = (zone: string) => {
  const city = zone.split('/').at(-1) ?? zone
  return accented[city] ?? city.replaceAll('_', ' ')
}

/** "Lisbon, Europe": cities share names across continents. */
const placeOf = (zone: string) => {
  const [continent, ...rest] = zone.split('/')
  return rest.length ? `${cityOf(zone)}, ${continent}` : cityOf(zone)
}

const offsetOf = (zone: string) =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
