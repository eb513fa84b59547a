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
    { group: 'Brasil', items: brazilian.map(optionOf) },
    { group: 'Outros', items: [...known, ...others].map(optionOf) },
  ]
}

const optionOf = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') })
