type Person = { id: string; name: string }

/** People to choose from, and whoever is chosen already though they may no longer be: blocked, not a row of digits. */
export const personChoices = (people: readonly Person[] | undefined, chosen: readonly string[]) => {
  if (!people) return []
  const gone = chosen.filter((id) => !people.some((person) => person.id === id))
  return [
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...gone.map((id) => ({ value: id, label: 'Pessoa bloqueada' })),
  ]
}
