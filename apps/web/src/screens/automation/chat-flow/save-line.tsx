import type { Flow } from '@balcao/contract/automation/flows/flows.ts'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import type { SaveState } from '../../../features/automation/flows/desk.ts'
import classes from './builder-bar.module.css'

const words = (save: SaveState) => {
  switch (save.kind) {
    case 'saved':
      return 'Salvo'
    case 'saving':
      return 'Salvando…'
    case 'offline':
      return 'Sem conexão: nada se perde'
    case 'refused':
      return `Não foi salvo: ${save.text}`
  }
}

/** Whether what is on the canvas is kept, and whether it is what runs. */
export const SaveLine = ({ flow }: { flow: Flow }) => {
  const { desk } = useBuilder()
  const save = useDesk(desk, (state) => state.save)
  const { published, isChanged } = flow
  const version = !published
    ? 'nunca publicado'
    : isChanged
      ? `mudanças depois da versão ${published.number}`
      : `versão ${published.number} publicada`
  return (
    <span role="status" className={classes.save} data-bad={save.kind === 'refused' || save.kind === 'offline'}>
      <span>{words(save)}</span>
      <span aria-hidden>·</span>
      <span className="truncate">{version}</span>
    </span>
  )
}
