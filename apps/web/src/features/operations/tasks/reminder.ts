const choices: [minutes: number, label: string][] = [
  [0, 'Só na hora'],
  [10, '10 minutos antes'],
  [30, '30 minutos antes'],
  [60, '1 hora antes'],
  [1_440, '1 dia antes'],
]

/** When to be reminded; one that was set elsewhere stays among the choices. */
export const reminderOptions = (current: number | null) => {
  const isKnown = current === null || choices.some(([minutes]) => minutes === current)
  const all = isKnown ? choices : [...choices, [current, `${current} minutos antes`] as const]
  return all.map(([minutes, label]) => ({ value: String(minutes), label }))
}
