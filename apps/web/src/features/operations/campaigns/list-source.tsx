import { type ContactImport, mostImportMb } from '@balcao/contract/contacts/imports.ts'
import { Button, FileButton, Group, Loader, Select, Text, Textarea } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime, plural } from '../../../kit/format.ts'
import { GoTo } from '../../../ui/go-to.tsx'
import { importNames, importQuery, importsKey, uploadContacts } from '../../contacts/imports/api.ts'
import { importState } from '../../contacts/imports/words.ts'
import classes from './campaigns.module.css'
import { pastedList } from './pasted-list.ts'

type Props = { importId: string; onChange: (importId: string) => void }

/** A list for one send: pasted, from a file, or one that was imported before. Its columns become variables. */
export const ListSource = ({ importId, onChange }: Props) => {
  const [isChosenNow, setChosenNow] = useState(false)
  return importId ? (
    <ChosenList importId={importId} onChange={onChange} takesFocus={isChosenNow} />
  ) : (
    <NewList
      onMade={(made) => {
        setChosenNow(true)
        onChange(made.id)
      }}
    />
  )
}

const ChosenList = ({ importId, onChange, takesFocus }: Props & { takesFocus: boolean }) => {
  const { data: batch, error } = useQuery(importQuery(importId))
  const list = useRef<HTMLDivElement>(null)
  // Where it was chosen is gone: the keyboard would begin at the top of the page again.
  useEffect(() => {
    if (takesFocus) list.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const isWorking = batch && ['reading', 'checking', 'running'].includes(batch.state)
  return (
    <div className={classes.chosenList} ref={list} tabIndex={-1}>
      <div>
        <Text fw={500} className="truncate">
          {batch?.name ?? 'Lista'}
        </Text>
        <Text size="sm" c={error ? 'red' : 'dimmed'} role="status">
          {error
            ? 'Esta lista não existe mais. Escolha outra.'
            : batch &&
              // What it changed among the contacts is nothing to whoever sends to it.
              `${plural(batch.total, 'linha', 'linhas')} · ${batch.state === 'done' ? 'Pronta' : importState(batch)}`}
        </Text>
        {batch && columnsOf(batch).length > 0 && (
          <Text size="sm" c="dimmed">
            Variáveis:{' '}
            {columnsOf(batch)
              .map((heading) => `{{extra.${heading}}}`)
              .join(', ')}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {isWorking && <Loader size="sm" />}
        {batch?.state === 'done' && batch.counts.error > 0 && (
          <GoTo
            to={`/contatos/importar?importacao=${importId}`}
            label={`Ver ${plural(batch.counts.error, 'linha com erro', 'linhas com erro')}`}
          />
        )}
        {batch && batch.state !== 'done' && !isWorking && (
          <GoTo to={`/contatos/importar?importacao=${importId}`} label="Conferir colunas" />
        )}
        <Button variant="default" onClick={() => onChange('')}>
          Trocar
        </Button>
      </Group>
    </div>
  )
}
const columnsOf = ({ headings }: ContactImport) => [...new Set(headings.filter(Boolean))]

const NewList = ({ onMade }: { onMade: (batch: ContactImport) => void }) => {
  const cache = useQueryClient()
  const before = useQuery(importNames).data ?? []
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const pasted = pastedList(text)

  const send = async (file: File, hasHeadings?: boolean) => {
    if (file.size > mostImportMb * 1024 * 1024)
      return setProblem(`O arquivo tem mais de ${mostImportMb} MB. Divida-o em arquivos menores.`)
    setBusy(true)
    setProblem('')
    try {
      const how = { start: true, ...(hasHeadings !== undefined && { hasHeadings }) }
      const made = await uploadContacts(file, how, () => {}, new AbortController().signal)
      cache.setQueryData(importQuery(made.id).queryKey, made)
      void cache.invalidateQueries({ queryKey: importsKey })
      onMade(made)
    } catch (error) {
      setProblem(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Textarea
        label="Cole os números"
        description="Um por linha. Com mais colunas, separe por ponto e vírgula e diga os nomes na primeira linha: numero;nome;pedido"
        placeholder={'11 98765-4321\n21 99876-5432'}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        disabled={busy}
        spellCheck={false}
      />
      <div className={classes.listActions}>
        <Button
          size="sm"
          loading={busy}
          disabled={pasted.lines === 0}
          onClick={() =>
            void send(
              pasted.file(
                `Lista de ${formatDateTime(new Date()).replaceAll('/', '-').replace(':', 'h').replace(',', '')}.csv`,
              ),
              true,
            )
          }
        >
          {pasted.lines ? `Usar ${plural(pasted.lines, 'linha', 'linhas')}` : 'Usar a lista'}
        </Button>
        <FileButton onChange={(file) => file && void send(file)} accept=".csv,.txt,.tsv,.xlsx" disabled={busy}>
          {(props) => (
            <Button {...props} size="sm" variant="default" leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
              CSV ou Excel
            </Button>
          )}
        </FileButton>
        {before.length > 0 && (
          <Select
            aria-label="Lista importada antes"
            placeholder="Lista importada antes"
            searchable
            nothingFoundMessage="Nada encontrado"
            className={classes.before}
            data={before.map(({ id, name, createdAt }) => ({
              value: id,
              label: `${name} (${formatDateTime(createdAt)})`,
            }))}
            value={null}
            onChange={(id) => {
              const chosen = before.find((one) => one.id === id)
              if (chosen) onMade(chosen)
            }}
          />
        )}
      </div>
      {pasted.lines > 0 && !busy && (
        <Text size="sm" c="dimmed" role="status">
          Ainda não fazem parte do público: use as linhas antes de enviar.
        </Text>
      )}
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
    </>
  )
}
