import { Button } from '@mantine/core'
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { checkTranscript, sha256Of } from './protocolo-api.ts'
import classes from './protocolo-screen.module.css'

type Outcome = { name: string; sha256: string; issuedAt: string | null; isGenuine: boolean }
const most = 20 * 1024 * 1024

/** Whether a copy is what we handed out: the file stays with its owner, only its fingerprint is asked about. */
export const CheckCopy = ({ token }: { token: string }) => {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const handleFile = async (file: File | undefined) => {
    if (!file || isBusy) return
    setOutcome(null)
    setProblem(null)
    if (file.size > most) return setProblem('Este arquivo é grande demais para ser uma cópia da conversa.')
    if (!window.isSecureContext)
      return setProblem('Para conferir, abra esta página pelo endereço que começa com https.')
    setBusy(true)
    try {
      const sha256 = await sha256Of(file)
      setOutcome({ name: file.name, sha256, ...(await checkTranscript(token, sha256)) })
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void handleFile(event.dataTransfer.files[0])
  }

  return (
    <section className={classes.card} aria-labelledby="check-copy">
      <h2 className={classes.title} id="check-copy">
        Conferir uma cópia
      </h2>
      <p className={classes.text}>Descubra se um arquivo saiu daqui e não foi alterado. Ele não sai do seu aparelho.</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button does the same */}
      <div
        className={classes.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <input
          ref={field}
          type="file"
          accept=".html,.htm,.txt"
          hidden
          aria-label="Arquivo da conversa"
          onChange={(event) => {
            void handleFile(event.currentTarget.files?.[0])
            event.currentTarget.value = '' // the same file may be chosen again
          }}
        />
        <Button
          variant="default"
          size="md"
          leftSection={<IconUpload size={20} aria-hidden />}
          loading={isBusy}
          onClick={() => field.current?.click()}
        >
          Escolher arquivo
        </Button>
        <span className={classes.dropHint}>ou solte o arquivo aqui</span>
      </div>
      <div aria-live="polite">
        {problem && <p className={classes.problem}>{problem}</p>}
        {outcome && (
          <div className={classes.outcome} data-genuine={outcome.isGenuine}>
            {outcome.isGenuine ? (
              <IconCircleCheckFilled size={22} aria-hidden />
            ) : (
              <IconAlertTriangleFilled size={22} aria-hidden />
            )}
            <div className={classes.verdict}>
              <strong>{outcome.isGenuine ? 'Cópia autêntica' : 'Não reconhecemos este arquivo'}</strong>
              <span>
                {outcome.isGenuine
                  ? `${outcome.name} foi emitido por nós${outcome.issuedAt ? ` em ${formatDateTime(outcome.issuedAt)}` : ''} e não foi alterado.`
                  : `${outcome.name} não saiu desta página, ou foi alterado depois.`}
              </span>
              <code className={classes.code}>SHA-256 {outcome.sha256}</code>
            </div>
          </div>
        )}
      </div>
    </section>
  )
}
