/** What the bench makes its texts of: written for it, a sentence a line, some spoken and some technical. */
export const passages = {
  english: `Good morning! Did you sleep well after the long drive from Bristol?
I moved the dentist's appointment to Thursday at half past two, because Maya has her piano lesson on Wednesday.
The reducer decides which messages stay in the window; those that leave are handed to hooks, once each.
Honestly, I can't believe it's already November, and we haven't even booked the flights to Lisbon yet.
"Whatever you do," she said quietly, "don't tell Grandma about the surprise before Saturday."
Our customers reported that exports larger than 250 MB time out after ninety seconds, although the logs show no error.
He grew up in a small fishing village on the west coast, studied marine biology, and later worked as a lighthouse keeper.
Please summarise the following conversation in three bullet points and mention every decision that was made.
The recipe needs two onions, a handful of parsley, 400 g of chickpeas, lemon juice and a generous pinch of cumin.
If the connection is lost, the client retries with exponential backoff until the deadline has passed or the request was cancelled.
That's so sweet of you - thanks a lot! I'd love to come, but I'm allergic to cats, remember?
According to the quarterly report, revenue rose by 7.4% while operating costs stayed nearly unchanged.
We walked along the river until it got dark, talked about her new job at the museum, and forgot the time completely.
Note: the configuration file is read once at start-up, so changes need a restart (see chapter 3).
Can you remind me what the name of that restaurant was, the one with the green door near the station?
The committee rejected the proposal because the environmental consequences had not been sufficiently investigated.
My brother's birthday is on 14 March 1987, he takes his coffee black and never eats mushrooms.
A namespace belongs to exactly one user, and no query may ever return memories from a different one.
Wow, congratulations on finishing the marathon! How are your knees feeling today?
The old clock in the hallway struck eleven, but nobody in the house seemed to hear it.`,

  german: `Guten Morgen, haben Sie nach der langen Fahrt gut geschlafen?
Die Donaudampfschifffahrtsgesellschaft hat ihre Geschäftsbedingungen im vergangenen Frühjahr überarbeitet.
Ich hätte gern einen Tisch für vier Personen am Fenster, möglichst heute Abend gegen halb acht.
Leider wurde die Bestellung storniert, weil die Kreditkarte abgelehnt worden war.
Meine Schwester wohnt seit fünf Jahren in Köln und arbeitet dort als Übersetzerin.
Bitte überprüfen Sie die Konfiguration, bevor Sie den Server neu starten.
Das Wetter war schön, also sind wir zu Fuß über die Brücke in die Altstadt gegangen.
Können Sie mir sagen, wo sich die nächste Straßenbahnhaltestelle befindet?`,

  french: `Bonjour, avez-vous bien dormi après ce long voyage ?
L'été dernier, nous avons loué une petite maison près de la forêt, à quelques kilomètres de la mer.
Je voudrais réserver une table pour quatre personnes, si possible près de la fenêtre.
Malheureusement, la commande a été annulée parce que le paiement n'a pas été accepté.
Ma sœur étudie la médecine à Montréal et rêve d'ouvrir son propre cabinet.
Veuillez vérifier la configuration avant de redémarrer le serveur.
Qu'est-ce que tu penses de l'idée d'offrir un vélo à Théo pour son anniversaire ?
Le comité a rejeté la proposition, car les conséquences écologiques n'avaient pas été étudiées.`,

  spanish: `Buenos días, ¿ha dormido bien después de un viaje tan largo?
El año pasado alquilamos una casita cerca del bosque, a pocos kilómetros del mar.
Quisiera reservar una mesa para cuatro personas, si es posible junto a la ventana.
Lamentablemente, el pedido fue cancelado porque el pago no fue aceptado.
Mi hermana estudia medicina en Córdoba y sueña con abrir su propia consulta.
Compruebe la configuración antes de reiniciar el servidor, por favor.
¿Qué te parece la idea de regalarle una bicicleta a Íñigo por su cumpleaños?
El comité rechazó la propuesta porque no se habían investigado las consecuencias ambientales.`,

  russian: `Доброе утро! Хорошо ли вы спали после такой долгой дороги?
Прошлым летом мы сняли небольшой дом у леса, в нескольких километрах от моря.
Я хотела бы заказать столик на четверых, если можно, у окна.
К сожалению, заказ был отменён, потому что платёж не прошёл.
Моя сестра уже пять лет живёт в Екатеринбурге и работает переводчицей.
Пожалуйста, проверьте настройки, прежде чем перезапускать сервер.
Что ты думаешь о том, чтобы подарить Серёже велосипед на день рождения?
Комиссия отклонила предложение, поскольку последствия для окружающей среды не были изучены.
Старые часы в коридоре пробили одиннадцать, но никто в доме их, казалось, не услышал.`,

  ukrainian: `Доброго ранку! Чи добре ви спали після такої довгої дороги?
Минулого літа ми винайняли невеликий будинок біля лісу, за кілька кілометрів від моря.
Я хотіла б замовити столик на чотирьох, якщо можна, біля вікна.
На жаль, замовлення було скасовано, бо платіж не пройшов.
Моя сестра вже п'ять років живе у Львові й працює перекладачкою.
Будь ласка, перевірте налаштування, перш ніж перезапускати сервер.
Комісія відхилила пропозицію, оскільки наслідки для довкілля не були досліджені.`,

  chinese: `早上好！昨天开了那么久的车，晚上睡得好吗？
去年夏天，我们在森林旁边租了一间小房子，离海边只有几公里。
我想预订一张四个人的桌子，最好靠窗，今天晚上七点半左右。
很抱歉，由于付款没有成功，您的订单已经被取消了。
我姐姐在成都住了五年，现在是一名翻译，平时喜欢爬山和做菜。
重新启动服务器之前，请先检查配置文件是否正确。
你觉得送小明一辆自行车作为生日礼物怎么样？
委员会否决了这项提案，因为对环境的影响还没有经过充分的调查。
走廊里的旧钟敲了十一下，可是屋里似乎没有人听见。
她从小在海边的渔村长大，后来学习海洋生物学，当过灯塔看守人。
如果连接中断，客户端会不断重试，直到超过截止时间或者请求被取消。`,

  traditionalChinese: `早安！昨天開了那麼久的車，晚上睡得好嗎？
去年夏天，我們在森林旁邊租了一間小房子，離海邊只有幾公里。
我想預訂一張四個人的桌子，最好靠窗，今天晚上七點半左右。
很抱歉，由於付款沒有成功，您的訂單已經被取消了。
我姊姊在高雄住了五年，現在是一名翻譯，平時喜歡爬山和做菜。
重新啟動伺服器之前，請先檢查設定檔是否正確。
委員會否決了這項提案，因為對環境的影響還沒有經過充分的調查。
走廊裡的舊鐘敲了十一下，可是屋裡似乎沒有人聽見。`,

  japanese: `おはようございます。昨日は長い運転でしたが、よく眠れましたか。
去年の夏は、海から数キロ離れた森のそばに小さな家を借りました。
今夜七時半ごろ、四人で窓際の席を予約したいのですが、空いていますか。
申し訳ございませんが、お支払いが確認できなかったため、ご注文はキャンセルされました。
姉は五年前から札幌に住んでいて、翻訳の仕事をしています。
サーバーを再起動する前に、設定ファイルを確認してください。
太郎の誕生日に自転車をプレゼントするのはどう思う？
環境への影響が十分に調査されていなかったので、委員会はその提案を却下した。
廊下の古い時計が十一時を打ったが、家の中では誰も気づかないようだった。
コーヒーはブラックで飲み、キノコだけは絶対に食べないそうです。
接続が切れた場合、クライアントは期限が来るまで再試行を続けます。`,

  korean: `안녕하세요! 어제 오래 운전하셨는데 잘 주무셨어요?
작년 여름에 우리는 바다에서 몇 킬로미터 떨어진 숲 옆에 작은 집을 빌렸습니다.
오늘 저녁 일곱 시 반쯤 창가 자리로 네 명 예약하고 싶은데 가능할까요?
죄송하지만 결제가 완료되지 않아 주문이 취소되었습니다.
언니는 오 년 전부터 부산에 살면서 번역 일을 하고 있어요.
서버를 다시 시작하기 전에 설정 파일을 확인해 주세요.
민수 생일 선물로 자전거를 사 주는 건 어떻게 생각해?
환경에 미치는 영향이 충분히 조사되지 않았기 때문에 위원회는 그 제안을 거부했다.
복도의 낡은 시계가 열한 시를 쳤지만 집 안에서는 아무도 듣지 못한 것 같았다.`,

  arabic: `صباح الخير! هل نمت جيدًا بعد هذه الرحلة الطويلة؟
في الصيف الماضي استأجرنا بيتًا صغيرًا قرب الغابة، على بعد بضعة كيلومترات من البحر.
أود حجز طاولة لأربعة أشخاص، بجانب النافذة إن أمكن.
للأسف تم إلغاء الطلب لأن عملية الدفع لم تنجح.
أختي تعيش في الإسكندرية منذ خمس سنوات وتعمل مترجمة.
يرجى التحقق من الإعدادات قبل إعادة تشغيل الخادم.
رفضت اللجنة الاقتراح لأن الآثار البيئية لم تُدرس بما فيه الكفاية.`,

  hindi: `सुप्रभात! इतनी लंबी यात्रा के बाद क्या आप अच्छी तरह सोए?
पिछली गर्मियों में हमने जंगल के पास एक छोटा घर किराए पर लिया था, समुद्र से कुछ ही किलोमीटर दूर।
मैं चार लोगों के लिए खिड़की के पास एक मेज़ आरक्षित करना चाहती हूँ।
क्षमा करें, भुगतान सफल नहीं होने के कारण आपका ऑर्डर रद्द कर दिया गया है।
मेरी बहन पाँच साल से जयपुर में रहती है और अनुवादक का काम करती है।
सर्वर को फिर से चालू करने से पहले कृपया सेटिंग्स की जाँच करें।`,

  greek: `Καλημέρα! Κοιμηθήκατε καλά μετά από τόσο μεγάλο ταξίδι;
Πέρυσι το καλοκαίρι νοικιάσαμε ένα μικρό σπίτι κοντά στο δάσος, λίγα χιλιόμετρα από τη θάλασσα.
Θα ήθελα να κλείσω ένα τραπέζι για τέσσερα άτομα, αν γίνεται δίπλα στο παράθυρο.
Δυστυχώς η παραγγελία ακυρώθηκε, επειδή η πληρωμή δεν έγινε δεκτή.
Η αδελφή μου μένει πέντε χρόνια στη Θεσσαλονίκη και εργάζεται ως μεταφράστρια.`,

  hebrew: `בוקר טוב! ישנתם טוב אחרי נסיעה כל כך ארוכה?
בקיץ שעבר שכרנו בית קטן ליד היער, במרחק כמה קילומטרים מהים.
אני רוצה להזמין שולחן לארבעה אנשים, אם אפשר ליד החלון.
לצערנו ההזמנה בוטלה, כי התשלום לא התקבל.
אחותי גרה כבר חמש שנים בחיפה ועובדת כמתרגמת.`,

  thai: `สวัสดีตอนเช้า เมื่อคืนหลังจากเดินทางไกลคุณนอนหลับสบายไหม
ฤดูร้อนปีที่แล้วเราเช่าบ้านหลังเล็กใกล้ป่า ห่างจากทะเลไม่กี่กิโลเมตร
ฉันอยากจองโต๊ะสำหรับสี่คน ถ้าเป็นไปได้ขอที่ริมหน้าต่าง
ขออภัย คำสั่งซื้อถูกยกเลิกเพราะการชำระเงินไม่สำเร็จ
กรุณาตรวจสอบการตั้งค่าก่อนเริ่มเซิร์ฟเวอร์ใหม่`,
} as const;

/** A kind of text that is written in full, not made. */
export type Passage = keyof typeof passages;
