import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AccountFrame } from './account-frame.tsx'

/** The link did its work: whoever opens it again is led to the login before typing anything. */
export const AlreadyInstalled = () => (
  <AccountFrame
    title="Este link já foi usado"
    lead="Ele vale uma vez só, e a instalação está pronta. Entre com o seu e-mail e senha."
  >
    <Button component={Link} to="/login" size="md" fullWidth>
      Ir para o login
    </Button>
  </AccountFrame>
)

/** Nothing is set up, and whoever is here holds no link that would do it. */
export const MissingLink = ({ isRefused }: { isRefused: boolean }) => {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const token = tokenOf(text)
    if (!token) return setProblem('Cole o link inteiro, como aparece no log do servidor.')
    setText('')
    void navigate(`/masterkey?tokenSetup=${encodeURIComponent(token)}`)
  }

  return (
    <AccountFrame
      title="Falta configurar o Balcão"
      lead="Ao iniciar, o servidor mostra no terminal e no log um link para criar a sua empresa. Abra esse link, ou cole-o aqui."
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="md">
          {isRefused && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              Este link não vale mais, ou está incompleto. Cada um vale por 24 horas: reinicie o servidor para receber
              outro.
            </Alert>
          )}
          <TextInput
            label="Link de configuração"
            size="md"
            autoComplete="off"
            autoFocus
            value={text}
            error={problem}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setProblem(null)
            }}
          />
          <Button type="submit" size="md" fullWidth>
            Continuar
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  )
}

/** The token of a pasted link, or what was pasted when it is a token by itself. */
const tokenOf = (text: string) => /tokenSetup=([\w-]+)/.exec(text)?.[1] ?? /^\s*([\w-]{20,})\s*$/.exec(text)?.[1]
