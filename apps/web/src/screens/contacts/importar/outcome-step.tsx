import type { ContactImport, ImportRowView } from '@balcao/contract/contacts/imports.ts'
import { Alert, Button, Text, UnstyledButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  discardImport,
  downloadProblems,
  importQuery,
  importRows,
  type RowsShown,
  runImport,
  undoImport,
} from '../../../features/contacts/imports/api.ts'
import { importState } from '../../../features/contacts/imports/words.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDate, formatNumber, plural } from '../../../kit/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from './importar.module.css'

type Props = { batch: ContactImport; onOpen: (id: string | null) => void; onChange: () => void }

/** What would happen, or has happened: how many of each, which rows, why, and what can be done now. */
export const OutcomeStep = ({ batch, onOpen, onChange }: Props) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const { counts, state } = batch
  const isOver = batch.startedAt !== null
  const writes = counts.create + counts.update
  const hasProblems = counts.error + counts.skip + counts.partial > 0

  const act = async (work: () => Promise<ContactImport>) => {
    setBusy(true)
    try {
      cache.setQueryData(importQuery(batch.id).queryKey, await work())
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
      setAsks(false)
    }
  }
  const handleDiscard = async () => {
    try {
      await discardImport(batch.id)
      onOpen(null)
    } catch (error) {
      notify.error(reasonOf(error))
    }
  }
  const mayRun =
    (state === 'checked' && !batch.error && (writes > 0 || batch.options.consent !== null)) || state === 'stopped'
  return (
    <>
      <section className={classes.block} aria-label="Resultado">
        <Text fw={600} role="status">
          {isOver ? importState(batch) : mayRun || batch.error ? toBeChecked : nothingToDo}
        </Text>
        {batch.error && (
          <Alert color="red" variant="light" title="Não cabe no plano">
            {batch.error}
          </Alert>
        )}
        <div className={classes.actions}>
          {mayRun && (
            <Button loading={busy} onClick={() => void act(() => runImport(batch.id))}>
              {state === 'stopped' ? 'Continuar' : `Importar ${plural(writes, 'contato', 'contatos')}`}
            </Button>
          )}
          {isOver && state === 'done' && (
            <GoTo to={batch.counts.created ? `/contatos?importacao=${batch.id}` : '/contatos'} label="Ver contatos" />
          )}
          {!isOver && (
            <Button variant="default" onClick={onChange}>
              Mudar colunas e opções
            </Button>
          )}
          {hasProblems && (
            <Button
              variant="default"
              onClick={() => void downloadProblems(batch.id).catch((error: unknown) => notify.error(reasonOf(error)))}
            >
              Baixar linhas com problema
            </Button>
          )}
          {batch.canUndo && (
            <Button variant="default" onClick={() => setAsks(true)}>
              Desfazer
            </Button>
          )}
          {!isOver && (
            <Button variant="default" onClick={() => void handleDiscard()}>
              Descartar
            </Button>
          )}
        </div>
        {batch.canUndo && batch.undoUntil && (
          <Text size="sm" c="dimmed">
            Dá para desfazer até {formatDate(batch.undoUntil)}.
          </Text>
        )}
      </section>
      <Outcomes batch={batch} />
      <ConfirmDialog
        opened={asks}
        title="Desfazer esta importação?"
        confirmLabel="Desfazer"
        tone="danger"
        busy={busy}
        onConfirm={() => void act(() => undoImport(batch.id))}
        onClose={() => setAsks(false)}
      >
        Os contatos que ela criou são apagados, menos os que já têm conversa ou foram alterados. Os que ela alterou
        voltam ao que eram, menos no que alguém mudou depois.
      </ConfirmDialog>
    </>
  )
}

const toBeChecked = 'Confira o que vai acontecer. Nada foi gravado ainda.'
const nothingToDo = 'Nada foi gravado ainda, e não há o que importar: ninguém é novo nem muda com este arquivo.'

const labels: Record<RowsShown, [before: string, after: string]> = {
  create: ['Serão criados', 'Criados'],
  update: ['Serão alterados', 'Alterados'],
  same: ['Já estão iguais', 'Já estavam iguais'],
  skip: ['Ficarão de fora', 'Ficaram de fora'],
  error: ['Com problema', 'Com problema'],
  partial: ['Com um campo a menos', 'Com um campo a menos'],
}
const shown = Object.keys(labels) as RowsShown[]

const Outcomes = ({ batch }: { batch: ContactImport }) => {
  const { counts } = batch
  const first = shown.find((outcome) => counts[outcome] > 0) ?? 'create'
  const [chosen, setChosen] = useState<RowsShown | null>(null)
  const outcome = chosen ?? first
  const [limit, setLimit] = useState(20)
  const rows = useQuery(importRows(batch.id, outcome, limit))
  const isOver = batch.startedAt !== null
  // What was stopped halfway has made fewer than it was to make.
  const many = isOver ? { ...counts, create: counts.created, update: counts.updated } : counts
  return (
    <section className={classes.block} aria-label="Linhas">
      <div className={classes.counts}>
        {shown
          .filter((one) => counts[one] > 0 || one === 'create' || one === 'update')
          .map((one) => (
            <UnstyledButton
              key={one}
              className={classes.count}
              aria-pressed={one === outcome}
              onClick={() => {
                setChosen(one)
                setLimit(20)
              }}
            >
              <span className={classes.number}>{formatNumber(many[one])}</span>
              <span>{labels[one][isOver ? 1 : 0]}</span>
            </UnstyledButton>
          ))}
      </div>
      {batch.rowsAreGone ? (
        <Text c="dimmed">As linhas desta importação foram apagadas depois de 30 dias.</Text>
      ) : (
        (rows.data?.items.length ?? 0) > 0 && (
          <table className={classes.rows} aria-label={labels[outcome][isOver ? 1 : 0]}>
            <thead>
              <tr>
                <th>Linha</th>
                <th>No arquivo</th>
                <th>{outcome === 'update' ? 'Muda' : 'Motivo'}</th>
              </tr>
            </thead>
            <tbody>
              {rows.data?.items.map((row) => (
                <Row key={row.line} row={row} />
              ))}
            </tbody>
          </table>
        )
      )}
      {rows.data?.hasMore && limit < 200 && (
        <div className={classes.actions}>
          <Button variant="default" size="compact-sm" onClick={() => setLimit(200)}>
            Mostrar mais
          </Button>
        </div>
      )}
    </section>
  )
}

const Row = ({ row }: { row: ImportRowView }) => (
  <tr>
    <td>{row.line}</td>
    <td>{row.cells.filter(Boolean).slice(0, 4).join(' · ')}</td>
    <td>
      {row.changes.map(({ label, before, after }) => (
        <div key={label}>
          {label}: {before && `${before} → `}
          {after}
        </div>
      ))}
      {row.reason ?? (row.changes.length ? null : '–')}
    </td>
  </tr>
)
