"""By which other names is a city known, in English, its own language or those of its neighbours? Cologne is Köln is Colonia.

Only names that mean nothing else to most people: no Hue, Nice, Trent or Flushing.
"""

from collections.abc import Mapping

from core.text_keys import text_key

_CITIES = (
    "Aachen=Aix-la-Chapelle=Aken", "Aleppo=Halab", "Algiers=Alger", "Alexandria=Al Iskandariyah", "Antwerp=Antwerpen=Anvers",
    "Aswan=Assuan", "Athens=Athina=Athínai=Athen=Athènes=Atene", "Basel=Bâle=Basilea=Basle", "Beijing=Peking=Pékin",
    "Belgrade=Beograd=Belgrad", "Bengaluru=Bangalore", "Bern=Berne", "Bolzano=Bozen",
    "Brașov=Brasov=Kronstadt", "Bratislava=Pressburg=Pozsony", "Brno=Brünn", "Bruges=Brugge=Brügge",
    "Brussels=Bruxelles=Brussel=Brüssel=Bruselas", "Bucharest=București=Bukarest=Bucarest", "Budapest=Budapešť", "Cádiz=Cadiz",
    "Cairo=Al Qahirah=Kairo=Le Caire", "České Budějovice=Budweis", "Chania=Chaniá=Hania", "Chennai=Madras", "Chișinău=Chisinau=Kishinev",
    "Cluj-Napoca=Klausenburg=Kolozsvár", "Cologne=Köln=Colonia=Keulen", "Constanța=Constanta=Constantza",
    "Copenhagen=København=Kopenhagen=Copenhague=Köpenhamn", "A Coruña=La Coruña=Corunna", "Corfu=Kerkyra=Kérkyra=Korfu",
    "Da Nang=Đà Nẵng=Danang", "Damascus=Dimashq=Damaskus", "Dunkirk=Dunkerque=Dünkirchen",
    "Edinburgh=Edimbourg=Edimburgo", "Esfahan=Isfahan", "Fes=Fès=Fez", "Florence=Firenze=Florenz",
    "Gdańsk=Danzig", "Geneva=Genève=Genf=Ginevra=Ginebra", "Genoa=Genova=Genua=Gênes", "Ghent=Gent=Gand",
    "Gothenburg=Göteborg", "The Hague=Den Haag='s-Gravenhage=La Haye",
    "Hamburg=Hambourg=Hamburgo", "Hanoi=Hà Nội", "Havana=La Habana=Havanna", "Helsinki=Helsingfors", "Heraklion=Irákleion=Iraklio",
    "Ho Chi Minh City=Saigon=Sài Gòn=Thành phố Hồ Chí Minh", "Istanbul=Constantinople", "İzmir=Izmir=Smyrna",
    "Jerusalem=Yerushalayim=Al-Quds", "Kaliningrad=Königsberg", "Kaunas=Kowno", "Kharkiv=Kharkov",
    "Kolkata=Calcutta", "Košice=Kaschau", "Kraków=Krakow=Cracow=Krakau",
    "Kyiv=Kiev=Kiew", "Leuven=Louvain=Löwen", "Liège=Luik=Lüttich", "Lille=Rijsel", "Lisbon=Lisboa=Lissabon=Lisbonne", "Livorno=Leghorn",
    "Ljubljana=Laibach", "Łódź=Lodz", "London=Londres=Londra=Londen", "Lucerne=Luzern=Lucerna", "Luxembourg=Luxemburg=Lëtzebuerg",
    "Lviv=Lvov=Lwów=Lemberg", "Maastricht=Maëstricht", "Macau=Macao", "Mainz=Mayence", "Malmö=Malmoe", "Mantua=Mantova",
    "Maribor=Marburg an der Drau", "Marrakesh=Marrakech=Marrakesch", "Marseille=Marseilles=Marsella=Marsiglia", "Mecca=Makkah=La Mecque",
    "Mexico City=Ciudad de México=Mexiko-Stadt=CDMX", "Milan=Milano=Mailand", "Moscow=Moskva=Moskau=Moscou", "Mumbai=Bombay",
    "Munich=München=Monaco di Baviera=Múnich", "Naples=Napoli=Neapel=Nápoles", "Nicosia=Lefkosia=Lefkoşa", "Nuremberg=Nürnberg=Norimberga",
    "Olomouc=Olmütz", "Oostende=Ostend=Ostende", "Padua=Padova", "Palma=Palma de Mallorca", "Panama City=Panamá",
    "Patras=Pátra", "Phnom Penh=Phnum Pénh", "Piraeus=Pireas=Piräus", "Plzeň=Pilsen", "Porto=Oporto", "Poznań=Poznan=Posen",
    "Prague=Praha=Prag=Praga", "Québec=Quebec City=Ville de Québec", "Regensburg=Ratisbon=Ratisbonne", "Reims=Rheims", "Rhodes=Rodos=Ródos",
    "Rijeka=Fiume", "Rome=Roma=Rom", "Saint Petersburg=Sankt-Peterburg=St Petersburg=St. Petersburg=Sankt Petersburg=Leningrad",
    "Salzburg=Salisburgo", "San Sebastián=Donostia=Donostia / San Sebastián", "Santorini=Thira=Thíra", "Sarajevo=Sarajewo",
    "Seoul=Séoul", "Seville=Sevilla=Séville", "Shkodër=Shkodra=Scutari", "Sibiu=Hermannstadt", "Sofia=Sofiya",
    "Split=Spalato", "Strasbourg=Straßburg=Strasburg=Strasburgo", "Szczecin=Stettin", "Tallinn=Reval", "Tangier=Tanger=Tangiers",
    "Tehran=Teheran=Téhéran", "Thessaloniki=Thessaloníki=Salonica=Saloniki", "Timișoara=Temeswar=Temesvár", "Tirana=Tiranë",
    "Tokyo=Tokio", "Tórshavn=Torshavn", "Trier=Trèves", "Trieste=Triest=Trst", "Tunis=Túnez", "Turin=Torino", "Turku=Åbo",
    "Valletta=La Valletta=Valetta", "Varanasi=Benares=Banaras", "Venice=Venezia=Venedig=Venise=Venecia", "Vienna=Wien=Bécs=Vídeň=Viena",
    "Vilnius=Wilna=Wilno", "Warsaw=Warszawa=Warschau=Varsovie=Varsovia", "Wrocław=Wroclaw=Breslau",
    "Xi’an=Xi'an=Xian", "Yangon=Rangoon=Rangun", "Yerevan=Erevan=Eriwan", "Ypres=Ieper=Ypern", "Zagreb=Agram",
    "Zaragoza=Saragossa=Saragosse", "Zürich=Zurich=Zurigo=Zúrich",
)  # fmt: skip


def other_names(city: str) -> tuple[str, ...]:
    """The other names of a city; empty where it has none that we know."""
    key = text_key(city)
    return tuple(name for name in _BY_KEY.get(key, ()) if text_key(name) != key)


def one_name(city: str) -> str:
    """The key of the name by which a city is known here, whichever of its names is given."""
    key = text_key(city)
    return text_key(_BY_KEY[key][0]) if key in _BY_KEY else key


def _by_key() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _CITIES:
        names = tuple(line.split("="))
        for name in names:
            found[text_key(name)] = names
    return found


_BY_KEY = _by_key()
