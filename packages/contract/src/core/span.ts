/** "10 minutos", "1 hora", "5 dias". */
export const spanOf = (minutes: number): string => {
  const [count, one, many] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'dia', 'dias']
      : minutes % 60 === 0
        ? [minutes / 60, 'hora', 'horas']
        : [minutes, 'minuto', 'minutos']
  return `${count} ${count === 1 ? one : many}`
}
