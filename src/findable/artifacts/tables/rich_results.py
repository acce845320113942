"""Google's search features and their properties. Dated data: see AS_OF.

Taken from the pages "Structured data markup that Google Search supports" and those of each feature. Only what Google calls required is in
``required``; ``recommended`` holds those that matter on nearly every page of the kind.

Compared property by property in November 2026 with a copy (2025) of the text of DOCS/product-snippet: products, offers and nested reviews;
``image`` of products is from merchant-listing. Of the other pages the beginnings alone could be read again then, not the tables of
properties.
"""

from collections.abc import Mapping

from msgspec import Struct

AS_OF = "2026-11"
"""Month of the table."""

DOCS = "https://developers.google.com/search/docs/appearance/structured-data/"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = frozenset(
    {"Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "TechArticle", "AnalysisNewsArticle", "OpinionNewsArticle"}
)
EVENTS = _names(
    """
    Event BusinessEvent ChildrensEvent ComedyEvent DanceEvent EducationEvent ExhibitionEvent Festival FoodEvent
    Hackathon LiteraryEvent MusicEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent
    VisualArtsEvent
    """
)
LOCAL_BUSINESSES = _names(
    """
    LocalBusiness AnimalShelter ArchiveOrganization AutomotiveBusiness AutoBodyShop AutoDealer AutoPartsStore AutoRental
    AutoRepair AutoWash GasStation MotorcycleDealer MotorcycleRepair ChildCare Dentist DryCleaningOrLaundry EmergencyService
    FireStation Hospital PoliceStation EmploymentAgency EntertainmentBusiness AmusementPark ArtGallery Casino ComedyClub
    MovieTheater NightClub FinancialService AccountingService AutomatedTeller BankOrCreditUnion InsuranceAgency FoodEstablishment
    Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant IceCreamShop Restaurant Winery GovernmentOffice
    PostOffice HealthAndBeautyBusiness BeautySalon DaySpa HairSalon HealthClub NailSalon TattooParlor HomeAndConstructionBusiness
    Electrician GeneralContractor HVACBusiness HousePainter Locksmith MovingCompany Plumber RoofingContractor InternetCafe
    LegalService Attorney Notary Library LodgingBusiness BedAndBreakfast Campground Hostel Hotel Motel Resort VacationRental
    MedicalBusiness MedicalClinic Optician Pharmacy Physician VeterinaryCare ProfessionalService RadioStation RealEstateAgent
    RecyclingCenter SelfStorage ShoppingCenter SportsActivityLocation BowlingAlley ExerciseGym GolfCourse PublicSwimmingPool
    SkiResort SportsClub StadiumOrArena TennisComplex Store BikeStore BookStore ClothingStore ComputerStore ConvenienceStore
    DepartmentStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore HardwareStore HobbyShop HomeGoodsStore
    JewelryStore LiquorStore MensClothingStore MobilePhoneStore MovieRentalStore MusicStore OfficeEquipmentStore OutletStore
    PawnShop PetStore ShoeStore SportingGoodsStore TireShop ToyStore WholesaleStore TelevisionStation TouristInformationCenter
    TravelAgency
    """
)
ORGANIZATIONS = _names(
    """
    Organization Airline Consortium Cooperative Corporation CollegeOrUniversity EducationalOrganization School HighSchool
    ElementarySchool FundingScheme GovernmentOrganization LibrarySystem MedicalOrganization NewsMediaOrganization NGO
    OnlineBusiness OnlineStore PerformingGroup MusicGroup PoliticalParty Project ResearchOrganization SportsOrganization
    SportsTeam WorkersUnion
    """
)
APPS = frozenset({"SoftwareApplication", "MobileApplication", "WebApplication"})


class Feature(Struct, frozen=True):
    """One kind of rich result. Alternatives in a path are separated by ``|``; dots lead into values."""

    name: str
    types: frozenset[str]
    required: tuple[str, ...]
    recommended: tuple[str, ...]
    page: str
    """Page of the feature below DOCS."""

    @property
    def url(self) -> str:
        """URL of its documentation."""
        return DOCS + self.page


FEATURES = (
    Feature("Article", ARTICLES, (), ("headline|name", "image", "datePublished|dateModified", "author"), "article"),
    Feature("Breadcrumb", frozenset({"BreadcrumbList"}), ("itemListElement",), (), "breadcrumb"),
    Feature("Course list", frozenset({"Course"}), ("name", "description"), ("provider",), "course"),
    Feature("Dataset", frozenset({"Dataset"}), ("name", "description"), ("license",), "dataset"),
    Feature(
        "Discussion forum",
        frozenset({"DiscussionForumPosting"}),
        ("author", "datePublished", "text|image|video|sharedContent"),
        ("url",),
        "discussion-forum",
    ),
    Feature("Event", EVENTS, ("name", "startDate", "location"), ("description", "endDate", "image", "offers"), "event"),
    Feature(
        "Job posting",
        frozenset({"JobPosting"}),
        ("title", "description", "datePosted", "hiringOrganization", "jobLocation|applicantLocationRequirements"),
        ("validThrough", "employmentType", "baseSalary"),
        "job-posting",
    ),
    Feature(
        "Local business",
        LOCAL_BUSINESSES,
        ("name", "address"),
        ("telephone", "url", "openingHoursSpecification|openingHours"),
        "local-business",
    ),
    Feature("Organization", ORGANIZATIONS, (), ("name", "url", "logo"), "organization"),
    Feature(
        "Product",
        frozenset({"Product"}),
        ("name", "offers|review|aggregateRating"),
        ("image", "offers"),
        "product-snippet",
    ),
    Feature("Profile page", frozenset({"ProfilePage"}), ("mainEntity", "mainEntity.name|mainEntity.alternateName"), (), "profile-page"),
    Feature(
        "Q&A",
        frozenset({"QAPage"}),
        ("mainEntity", "mainEntity.name", "mainEntity.acceptedAnswer|mainEntity.suggestedAnswer|mainEntity.answerCount"),
        (),
        "qapage",
    ),
    Feature(
        "Recipe",
        frozenset({"Recipe"}),
        ("name", "image"),
        ("recipeIngredient", "recipeInstructions", "author", "totalTime|cookTime|prepTime"),
        "recipe",
    ),
    Feature(
        "Review snippet",
        frozenset({"Review", "CriticReview", "UserReview"}),
        ("author", "itemReviewed", "itemReviewed.name", "reviewRating.ratingValue"),
        (),
        "review-snippet",
    ),
    Feature(
        "Review snippet",
        frozenset({"AggregateRating"}),
        ("itemReviewed", "itemReviewed.name", "ratingValue", "ratingCount|reviewCount"),
        (),
        "review-snippet",
    ),
    Feature(
        "Software app", APPS, ("name", "offers.price", "aggregateRating|review"), ("applicationCategory", "operatingSystem"), "software-app"
    ),
    Feature(
        "Video",
        frozenset({"VideoObject"}),
        ("name", "thumbnailUrl", "uploadDate"),
        ("description", "contentUrl|embedUrl", "duration"),
        "video",
    ),
)

NESTED: Mapping[str, tuple[str, ...]] = {
    # Properties of the value itself, inside any of the above. Alternatives as above.
    "aggregateRating": ("ratingValue", "ratingCount|reviewCount"),
    "review": ("author", "reviewRating.ratingValue|positiveNotes|negativeNotes"),  # pros and cons need no rating
}
STEP_REQUIRED = ("position", "name|item.name")
"""Properties of each ListItem of a BreadcrumbList."""
OFFER_REQUIRED = ("price|priceSpecification.price",)
"""Properties of an Offer of a Product."""
AGGREGATE_OFFER_REQUIRED = ("lowPrice", "priceCurrency")
"""Properties of an AggregateOffer of a Product."""


class EndedResult(Struct, frozen=True):
    """Markup that no longer produces a result."""

    name: str
    since: str
    source: str


ENDED = {
    "FAQPage": EndedResult("FAQ", "7 May 2026", "Google, Search documentation updates, 2026"),
    "HowTo": EndedResult("How-to", "September 2023", "Google, “Changes to HowTo and FAQ rich results”, 2023"),
    "SearchAction": EndedResult(
        "sitelinks search box", "21 November 2024", "Google, “It's time to say goodbye to the sitelinks search box”, 2024"
    ),
    "SpecialAnnouncement": EndedResult("special announcement", "31 July 2025", "Google, “Simplifying the search results page”, 2025"),
    "ClaimReview": EndedResult("fact check", "June 2025", "Google, “Simplifying the search results page”, 2025"),
    "data-vocabulary.org": EndedResult("data-vocabulary.org", "29 January 2021", "Google, “Sunsetting support for data-vocabulary”, 2020"),
}
