import type { Flow, FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconChartBar,
  IconDots,
  IconDownload,
  IconFileImport,
  IconHistory,
  IconPlayerPlay,
  IconSettings,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { Link } from 'react-router'
import { exportFlow } from '../../../features/automation/flows/api.ts'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { flowViewers } from '../../../features/automation/flows/live.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { type Command, useCommands } from '../../../kit/commands.ts'
import { plural } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { notify } from '../../../ui/notify.ts'
import type { Side } from './builder.tsx'
import classes from './builder-bar.module.css'
import { ImportDialog } from './import-dialog.tsx'
import { SaveLine } from './save-line.tsx'

type Props = {
  flow: Flow
  problems: readonly FlowProblem[]
  side: Side | null
  onSide: (side: Side) => void
  hasNumbers: boolean
  onNumbers: () => void
  onPublish: () => void
}

/** What stands above the canvas: which flow it is, whether it is saved, who else is here, and what is done with the whole. */
export const BuilderBar = memo(({ flow, problems, side, onSide, hasNumbers, onNumbers, onPublish }: Props) => {
  const { desk, readOnly } = useBuilder()
  const canUndo = useDesk(desk, (state) => state.canUndo)
  const canRedo = useDesk(desk, (state) => state.canRedo)
  const { userId } = useCurrentSession()
  const viewers = useQuery(flowViewers(flow.id)).data?.filter((viewer) => viewer.userId !== userId) ?? []
  const [isImporting, setImporting] = useState(false)
  const errors = problems.filter(({ level }) => level === 'error').length
  const handleExport = () =>
    desk
      .flush()
      .then(() => exportFlow(flow.id))
      .catch((error: unknown) => notify.error(messageOf(error)))
  useCommands([
    ...(readOnly
      ? []
      : ([
          { label: 'Publicar fluxo', words: 'versão ativar', icon: IconHistory, section: 'Fluxo', run: onPublish },
        ] satisfies Command[])),
    {
      label: 'Versões do fluxo',
      words: 'histórico restaurar',
      icon: IconHistory,
      section: 'Fluxo',
      run: () => onSide('versions'),
    },
    {
      label: 'Ensaiar fluxo',
      words: 'testar simular',
      icon: IconPlayerPlay,
      section: 'Fluxo',
      run: () => onSide('rehearsal'),
    },
    { label: 'Configurações do fluxo', icon: IconSettings, section: 'Fluxo', run: () => onSide('settings') },
    { label: 'Números do fluxo', words: 'desempenho', icon: IconChartBar, section: 'Fluxo', run: onNumbers },
  ])
  return (
    <header className={classes.bar}>
      <Tooltip label="Todos os fluxos">
        <ActionIcon component={Link} to="/chat-flow" aria-label="Voltar aos fluxos">
          <IconArrowLeft size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <div className={classes.words}>
        <h1 className={classes.name}>{flow.name}</h1>
        <SaveLine flow={flow} />
      </div>
      {viewers.length > 0 && (
        <span
          className={classes.viewers}
          role="img"
          aria-label={`Também aqui: ${viewers.map(({ name }) => name).join(', ')}`}
        >
          {viewers.slice(0, 4).map(({ userId: id, name }) => (
            <Tooltip key={id} label={name}>
              <span>
                <Avatar name={name} size={26} />
              </span>
            </Tooltip>
          ))}
        </span>
      )}
      <div className={classes.tools}>
        {!readOnly && (
          <>
            <Tooltip label="Desfazer (Ctrl+Z)">
              <ActionIcon aria-label="Desfazer" disabled={!canUndo} onClick={desk.undo}>
                <IconArrowBackUp size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Refazer (Ctrl+Y)">
              <ActionIcon aria-label="Refazer" disabled={!canRedo} onClick={desk.redo}>
                <IconArrowForwardUp size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </>
        )}
        {problems.length > 0 && (
          <Button
            variant="subtle"
            color={errors ? 'red' : 'amber'}
            px={8}
            aria-pressed={side === 'problems'}
            leftSection={<IconAlertTriangle size={17} aria-hidden />}
            onClick={() => onSide('problems')}
          >
            {errors ? plural(errors, 'problema', 'problemas') : plural(problems.length, 'aviso', 'avisos')}
          </Button>
        )}
        <Tooltip label="Números">
          <ActionIcon
            aria-label="Números"
            aria-pressed={hasNumbers}
            variant={hasNumbers ? 'light' : 'subtle'}
            onClick={onNumbers}
          >
            <IconChartBar size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Versões">
          <ActionIcon
            aria-label="Versões"
            aria-pressed={side === 'versions'}
            variant={side === 'versions' ? 'light' : 'subtle'}
            onClick={() => onSide('versions')}
          >
            <IconHistory size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Configurações do fluxo">
          <ActionIcon
            aria-label="Configurações do fluxo"
            aria-pressed={side === 'settings'}
            variant={side === 'settings' ? 'light' : 'subtle'}
            onClick={() => onSide('settings')}
          >
            <IconSettings size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label="Mais ações">
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconDownload size={17} aria-hidden />} onClick={() => void handleExport()}>
              Exportar arquivo
            </Menu.Item>
            {!readOnly && (
              <Menu.Item leftSection={<IconFileImport size={17} aria-hidden />} onClick={() => setImporting(true)}>
                Importar no lugar do rascunho
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          aria-pressed={side === 'rehearsal'}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => onSide('rehearsal')}
        >
          Ensaiar
        </Button>
        {!readOnly && <Button onClick={onPublish}>Publicar</Button>}
      </div>
      {isImporting && <ImportDialog flowId={flow.id} onClose={() => setImporting(false)} />}
    </header>
  )
})
