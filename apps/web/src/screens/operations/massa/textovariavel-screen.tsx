import { MassScreen } from './mass-screen.tsx'

export default function TextovariavelScreen() {
  return (
    <MassScreen
      origin="variables"
      title="Texto com variáveis"
      purpose="Cole uma tabela: cada linha é uma pessoa, cada coluna uma variável do texto."
      noun="Texto com variáveis"
      fits={({ abilities }) =>
        abilities.supports.includes('mass') && abilities.windowHours === null && abilities.sms === null
      }
      withoutChannel="Nenhum canal seu pode escrever primeiro a qualquer hora. Conecte um WhatsApp por QR code ou um e-mail."
    />
  )
}
