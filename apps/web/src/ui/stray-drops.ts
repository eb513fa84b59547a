/** A file let go where nothing takes it would be opened by the browser, in place of the app and of what is being written. */
export const refuseStrayDrops = () => {
  for (const kind of ['dragover', 'drop'] as const) {
    window.addEventListener(kind, (event) => {
      const { dataTransfer, target, defaultPrevented } = event
      const isForField = target instanceof HTMLInputElement && target.type === 'file'
      if (defaultPrevented || isForField || !dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      dataTransfer.dropEffect = 'none'
    })
  }
}
