import { mostImportMb, mostRows } from '@balcao/contract/contacts/imports.ts'
import { Button, Group, Progress, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { importQuery, uploadContacts } from '../../../features/contacts/imports/api.ts'
import { isApiError, reasonOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { keepFile } from './file-in-hand.ts'
import classes from './importar.module.css'
import { PhoneBookMenu } from './phone-book-menu.tsx'

/** Where a file is let go, or chosen. */
export const DropArea = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const sending = useRef<AbortController>(null)
  const [share, setShare] = useState<number | null>(null)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState('')

  const send = async (file: File) => {
    setProblem('')
    if (file.size > mostImportMb * 1024 * 1024)
      return setProblem(
        `O arquivo tem mais de ${mostImportMb} MB. Divida-o em arquivos menores e envie um de cada vez.`,
      )
    sending.current = new AbortController()
    setShare(0)
    try {
      const made = await uploadContacts(file, {}, setShare, sending.current.signal)
      cache.setQueryData(importQuery(made.id).queryKey, made)
      keepFile(made.id, file)
      onOpen(made.id)
    } catch (error) {
      if (!isApiError(error, 'ERR_CANCELLED')) setProblem(reasonOf(error))
    } finally {
      setShare(null)
    }
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && share === null) void send(file)
  }
  return (
    <section
      aria-label="Arquivo"
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // React types it as any EventTarget
      }}
      onDrop={handleDrop}
    >
      <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden />
      {share === null ? (
        <>
          <Text fw={600}>Solte aqui a sua planilha</Text>
          <Group gap="xs" justify="center">
            <Button onClick={() => input.current?.click()}>Escolher arquivo</Button>
            <PhoneBookMenu onOpen={onOpen} />
          </Group>
        </>
      ) : (
        <div className={classes.sending} role="status">
          <Text fw={600}>{share < 1 ? 'Enviando…' : 'Lendo o arquivo…'}</Text>
          <Progress value={share * 100} animated={share === 1} aria-label="Envio" />
          <Button variant="default" onClick={() => sending.current?.abort()}>
            Cancelar
          </Button>
        </div>
      )}
      <Text size="sm" c="dimmed">
        CSV, Excel (XLSX) ou vCard (VCF), até {mostImportMb} MB e {formatNumber(mostRows)} linhas.
      </Text>
      {problem && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert" className={classes.problem}>
          {problem}
        </Text>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Escolher arquivo de contatos"
        accept=".csv,.txt,.tsv,.xlsx,.vcf,.vcard,text/csv,text/vcard"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) void send(file)
        }}
      />
    </section>
  )
}
