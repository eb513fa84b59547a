import {
  type ContactImport,
  type ContactImportMapping,
  type ContactImportOptions,
  type ImportTarget,
  importTargets,
} from '@balcao/contract/contacts/imports.ts'
import { Alert, Button, NativeSelect, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { contactFieldsQuery } from '../../../features/contacts/contacts/fields-api.ts'
import {
  checkImport,
  discardImport,
  importQuery,
  importRows,
  uploadContacts,
} from '../../../features/contacts/imports/api.ts'
import { delimiterLabels, encodingLabels } from '../../../features/contacts/imports/words.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { fileOf, keepFile } from './file-in-hand.ts'
import classes from './importar.module.css'
import { OptionsForm } from './options-form.tsx'

type Props = { batch: ContactImport; onOpen: (id: string | null) => void; onChecked: () => void }

/** What each column is, and what everybody in the file gets. */
export const ColumnsStep = ({ batch, onOpen, onChecked }: Props) => {
  const cache = useQueryClient()
  const sample = useQuery(importRows(batch.id, null, 5))
  const fields = useQuery(contactFieldsQuery)
  const [mapping, setMapping] = useState<ContactImportMapping>(batch.mapping)
  const [options, setOptions] = useState<ContactImportOptions>(batch.options)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const handleCheck = async () => {
    setBusy(true)
    setProblem('')
    try {
      cache.setQueryData(importQuery(batch.id).queryKey, await checkImport(batch.id, { mapping, options }))
      onChecked()
    } catch (error) {
      setProblem(reasonOf(error))
      setBusy(false)
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
  const taken = new Set(mapping)
  const own = (fields.data ?? []).map(({ key, name }) => ({ value: `extra.${key}`, label: name }))
  const choices = [
    { value: '', label: 'Não importar' },
    ...Object.entries(importTargets).map(([value, label]) => ({ value, label })),
    ...own,
  ]
  return (
    <>
      <HowItWasRead batch={batch} onOpen={onOpen} />
      <section className={classes.block} aria-label="Colunas">
        <Title order={3} size="h4">
          O que é cada coluna
        </Title>
        <table className={classes.mapping}>
          <thead>
            <tr>
              <th>Coluna</th>
              <th>Exemplos</th>
              <th>É</th>
            </tr>
          </thead>
          <tbody>
            {mapping.map((target, at) => {
              const name = batch.headings[at] || `Coluna ${at + 1}`
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <tr key={at}>
                  <th scope="row" className={classes.heading}>
                    {name}
                  </th>
                  <td className={classes.sample}>
                    {(sample.data?.items ?? [])
                      .flatMap(({ cells }) => cells[at] || [])
                      .slice(0, 3)
                      .join(' · ')}
                  </td>
                  <td>
                    <NativeSelect
                      aria-label={`O que é ${name}`}
                      value={target ?? ''}
                      data={choices.map((choice) => ({
                        ...choice,
                        disabled:
                          choice.value !== 'phone' &&
                          choice.value !== target &&
                          taken.has((choice.value || null) as ImportTarget) &&
                          choice.value !== '',
                      }))}
                      onChange={(event) => {
                        const value = (event.currentTarget.value || null) as ImportTarget | null // one of the choices above
                        setMapping(mapping.map((one, place) => (place === at ? value : one)))
                      }}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      <OptionsForm options={options} onChange={setOptions} />
      <div className={classes.block}>
        {problem && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {problem}
          </Text>
        )}
        <div className={classes.actions}>
          <Button onClick={() => void handleCheck()} loading={busy}>
            Conferir
          </Button>
          <Button variant="default" onClick={() => void handleDiscard()}>
            Descartar
          </Button>
        </div>
        <Text size="sm" c="dimmed">
          Conferir não grava nada: mostra quem será criado, quem muda e o que fica de fora.
        </Text>
      </div>
    </>
  )
}

/** How the file was understood; as long as it is at hand, it can be read otherwise. */
const HowItWasRead = ({ batch, onOpen }: Pick<Props, 'batch' | 'onOpen'>) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const file = fileOf(batch.id)
  const { reading } = batch
  if (!reading) return null
  const readAgain = async (how: object) => {
    if (!file) return
    setBusy(true)
    try {
      const { encoding, delimiter, sheet } = { ...reading, ...how }
      const wanted = { encoding, delimiter, sheet, hasHeadings: batch.options.hasHeadings, ...how }
      const known = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
      const made = await uploadContacts(file, known, () => {}, new AbortController().signal)
      cache.setQueryData(importQuery(made.id).queryKey, made)
      keepFile(made.id, file)
      await discardImport(batch.id)
      onOpen(made.id)
    } catch (error) {
      notify.error(reasonOf(error))
      setBusy(false)
    }
  }
  const options = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
  const common = { disabled: busy || !file }
  return (
    <section className={classes.block} aria-label="Leitura do arquivo">
      {reading.notes.length > 0 && (
        <Alert color="yellow" variant="light" title="Sobre o arquivo">
          {reading.notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      {reading.format !== 'vcard' && (
        <div className={classes.how}>
          {reading.sheets && reading.sheets.length > 1 && (
            <NativeSelect
              {...common}
              label="Aba"
              value={reading.sheet ?? ''}
              data={reading.sheets}
              onChange={(event) => void readAgain({ sheet: event.currentTarget.value })}
            />
          )}
          {reading.encoding && (
            <NativeSelect
              {...common}
              label="Codificação"
              value={reading.encoding}
              data={options(encodingLabels)}
              onChange={(event) => void readAgain({ encoding: event.currentTarget.value })}
            />
          )}
          {reading.delimiter && (
            <NativeSelect
              {...common}
              label="Separador"
              value={reading.delimiter}
              data={options(delimiterLabels)}
              onChange={(event) => void readAgain({ delimiter: event.currentTarget.value })}
            />
          )}
          <NativeSelect
            {...common}
            label="Primeira linha"
            value={String(batch.options.hasHeadings)}
            data={[
              { value: 'true', label: 'É o cabeçalho' },
              { value: 'false', label: 'Já é um contato' },
            ]}
            onChange={(event) => void readAgain({ hasHeadings: event.currentTarget.value === 'true' })}
          />
        </div>
      )}
    </section>
  )
}
